/// The ratio of two sample rates in lowest terms: `up` output samples last as long as `down` input
/// samples. 22 050 → 24 000 Hz is 160/147.
struct RateRatio: Equatable, Sendable {
    /// Output samples a period, L.
    var up: Int
    /// Input samples a period, M.
    var down: Int

    /// The furthest that two rates may be apart.
    static let widest = 256.0
    /// Terms stay below this, so that a product with any buffer's length fits an `Int`.
    private static let largestTerm = 1 << 32

    /// Terms that are known to have no common divisor.
    init(up: Int, down: Int) {
        self.up = up
        self.down = down
    }

    /// - Throws: `invalidRate`, or `unsupportedRatio` beyond a factor of 256.
    init(from inputRate: Double, to outputRate: Double) throws(DSPError) {
        for rate in [inputRate, outputRate] where !(rate > 0 && rate.isFinite) {
            throw .invalidRate(hertz: rate)
        }
        let ratio = outputRate / inputRate
        guard ratio <= Self.widest, ratio >= 1 / Self.widest else {
            throw .unsupportedRatio(from: inputRate, to: outputRate)
        }
        if let output = Int(exactly: outputRate), let input = Int(exactly: inputRate) {
            let divisor = Self.greatestCommonDivisor(output, input)
            (up, down) = (output / divisor, input / divisor)
            if max(up, down) <= Self.largestTerm { return }
        }
        (up, down) = Self.nearestFraction(to: ratio)
    }

    /// How much lower the band that survives is than the input's: 1 when the rate rises.
    var bandwidth: Double { min(1, Double(up) / Double(down)) }

    /// Output instants at or after the first input sample and before the end of the last: ⌈n·L/M⌉.
    func outputCount(for inputCount: Int) -> Int {
        guard inputCount > 0 else { return 0 }
        // 128-bit product: a long stream times a large term passes 64 bits.
        var wide = UInt(inputCount).multipliedFullWidth(by: UInt(up))
        let (low, carry) = wide.low.addingReportingOverflow(UInt(down - 1))
        wide = (high: wide.high + (carry ? 1 : 0), low: low)
        guard wide.high < UInt(down) else { return Int.max }
        let quotient = UInt(down).dividingFullWidth(wide).quotient
        return Int(exactly: quotient) ?? Int.max
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        var (a, b) = (a, b)
        while b != 0 { (a, b) = (b, a % b) }
        return a
    }

    /// The last convergent of the continued fraction of `value` whose terms are small enough. It is
    /// within 1/largestTerm² of the value, or is the value.
    private static func nearestFraction(to value: Double) -> (Int, Int) {
        var (previousUp, previousDown, up, down) = (0, 1, 1, 0)
        var rest = value
        while true {
            let whole = rest.rounded(.down)
            guard whole < Double(largestTerm) else { break }
            let (nextUp, upOverflow) = Int(whole).multipliedReportingOverflow(by: up)
            let (nextDown, downOverflow) = Int(whole).multipliedReportingOverflow(by: down)
            guard !upOverflow, !downOverflow, nextUp + previousUp <= largestTerm,
                nextDown + previousDown <= largestTerm
            else { break }
            (previousUp, previousDown, up, down) = (up, down, nextUp + previousUp, nextDown + previousDown)
            let fraction = rest - whole
            guard fraction > 0 else { break }
            rest = 1 / fraction
        }
        return (up, down)
    }
}

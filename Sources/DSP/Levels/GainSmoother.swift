/// Two moving averages of equal length, one after the other: a triangular window of 2·length - 1, over
/// gains from 0 to 1.
///
/// The running sums are integers, in units of 2⁻³⁰: they cannot drift however long the stream is, and
/// when all gains are 1 the average is exactly 1. All rounding is downwards but for the last, to float32.
struct GainSmoother: Sendable {
    private static let unit: Int64 = 1 << 30
    let length: Int
    private var first: [Int64]
    private var second: [Int64]
    private var firstSum: Int64 = 0
    private var secondSum: Int64 = 0
    private var index = 0

    /// Starts as after a long time at gain 1.
    init(length: Int) {
        self.length = length
        first = [Int64](repeating: 0, count: length)
        second = [Int64](repeating: 0, count: length)
        reset()
    }

    mutating func reset() {
        let full = Int64(length) * Self.unit
        for index in 0..<length {
            first[index] = Self.unit
            second[index] = full
        }
        (firstSum, secondSum, index) = (full, full * Int64(length), 0)
    }

    /// The average after one more gain.
    mutating func push(_ gain: Double) -> Float {
        let value = Int64(gain * Double(Self.unit))
        firstSum += value - first[index]
        first[index] = value
        secondSum += firstSum - second[index]
        second[index] = firstSum
        index = index + 1 == length ? 0 : index + 1
        let full = Int64(length) * Int64(length) * Self.unit
        return secondSum == full ? 1 : Float(Double(secondSum) / Double(full))
    }
}

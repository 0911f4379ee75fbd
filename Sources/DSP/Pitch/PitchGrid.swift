/// The lengths, in samples, that the analysis of pitch at one sample rate works with.
struct PitchGrid: Sendable {
    /// The range of fundamental frequency, in hertz, that is looked for.
    static let range: ClosedRange<Double> = 60...500

    let sampleRate: Int
    /// Samples to one sample of the analysis signal, whose rate is 8 to 16 kHz.
    let decimation: Int
    /// Taps on either side of the centre of the low-pass filter before decimation.
    let filterReach: Int
    /// Samples from one pitch frame to the next: 5 ms, a multiple of `decimation`.
    let hop: Int
    /// Samples compared with those one lag later: 15 ms, in the analysis signal.
    let window: Int
    /// Shortest and longest lag, in the analysis signal.
    let lags: ClosedRange<Int>

    /// The sample rates, in hertz, at which pitch is followed.
    static let sampleRates: ClosedRange<Double> = 8_000...48_000

    /// - Parameter sampleRate: in hertz. Lengths in samples are those of the nearest whole number.
    /// - Throws: `DSPError.invalidRate`, or `.invalidParameter` outside `sampleRates`.
    init(sampleRate: Double) throws(DSPError) {
        guard sampleRate > 0, sampleRate.isFinite else { throw .invalidRate(hertz: sampleRate) }
        guard Self.sampleRates.contains(sampleRate) else {
            throw .invalidParameter(
                name: "sample rate for pitch", value: sampleRate,
                allowed: "8000 to 48000 hertz, so resample first")
        }
        let sampleRate = Int(sampleRate.rounded())
        self.sampleRate = sampleRate
        decimation = sampleRate / 8_000
        filterReach = sampleRate / 4_000
        let rate = Double(sampleRate) / Double(decimation)
        hop = decimation * Int((0.005 * rate).rounded())
        window = Int((0.015 * rate).rounded())
        lags = Int(rate / Self.range.upperBound)...Int((rate / Self.range.lowerBound).rounded(.up)) + 1
    }

    var analysisRate: Double { Double(sampleRate) / Double(decimation) }

    /// The lags, between samples too, of the range of frequency, with 1 % at its edges for errors of
    /// measurement.
    var analysisLags: ClosedRange<Double> {
        analysisRate / (1.01 * Self.range.upperBound)...analysisRate / (0.99 * Self.range.lowerBound)
    }

    /// Analysis samples on either side of a frame's centre: half of window and longest lag, and one for the
    /// peak's right-hand neighbour.
    var frameReach: Int { (window + lags.upperBound) / 2 + 2 }

    /// Hops after a frame's centre until all samples it looks at are there.
    var lookAhead: Int { (frameReach * decimation + filterReach) / hop + 1 }

    /// The longest period, in samples.
    var longestPeriod: Double { Double(sampleRate) / Self.range.lowerBound }
}

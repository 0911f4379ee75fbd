import Glibc

/// Keeps audio below a ceiling by turning it down ahead of its peaks: peaks between samples as well
/// (true peaks, by four-fold oversampling as in ITU-R BS.1770-5 Annex 2), and without a click.
///
/// The gain that each frame needs is the ceiling over its true peak, or 1. The least of these over
/// the look-ahead, averaged over the look-ahead with a triangular window, is a smooth curve that has
/// come down to what a peak needs by the time the peak is there: every number in the average is at
/// most that. After a peak the gain goes back up over `release`. Below the ceiling nothing is touched:
/// such samples come out as they went in, bit for bit.
///
/// No sample of the output is above the ceiling, whatever the input. The true peak is within 0.2 dB of
/// it: the gain moves while a peak passes, and the oversampled signal itself is an estimate.
///
/// Interleaved channels share one gain, so the stereo image stays. Samples that are not finite are
/// taken as 0. Output is delayed by `latency` frames as a stream; in sum, after `finish`, it has the
/// length and timing of the input. Any chunking gives the same samples.
public struct Limiter: ~Copyable, Sendable {
    /// What no sample exceeds, linear.
    public let ceiling: Float
    /// A fixed factor before the limiting: the volume.
    public let gain: Float
    /// Interleaved channels.
    public let channels: Int
    /// Frames that an output comes later than its input.
    public let latency: Int

    var oversampler: Resampler
    var minimum: SlidingMinimum
    var averages: GainSmoother
    /// How much of the way back to 1 the gain goes each frame after a peak.
    let recovery: Double
    /// The gain with its release, before averaging. In double: near 1 the steps are too small for
    /// float32, and it would never get there.
    var released = 1.0
    /// The true peak between the frame before and this one: it belongs to both.
    var peakBefore: Float = 0
    /// Input not yet given out, multiplied by `gain`: a ring of `delayLength` frames.
    let delayed: AlignedStorage<Float>
    let delayLength: Int
    let block: AlignedStorage<Float>
    let oversampled: AlignedStorage<Float>
    /// Frames taken, gains made and frames given out since the start.
    var consumed = 0
    var measured = 0
    var produced = 0
    var isFinishing = false

    /// Frames that are worked on at a time.
    static let blockLength = 128

    /// - Parameters:
    ///   - sampleRate: in hertz, 1000 to 768 000.
    ///   - ceiling: in dBTP, -60 to 0. EBU R 128 asks for -1 at most.
    ///   - gain: a factor applied first, 0 to 1000.
    ///   - lookAhead: seconds, 0.0005 to 0.1: how gently the gain comes down before a peak.
    ///   - release: seconds, 0.001 to 10: the time constant of its way back up.
    ///   - channels: 1 to 64.
    /// - Throws: `DSPError`.
    public init(
        sampleRate: Double, ceiling: Double = -1, gain: Double = 1, lookAhead: Double = 0.005,
        release: Double = 0.1, channels: Int = 1
    ) throws(DSPError) {
        guard sampleRate > 0, sampleRate.isFinite else { throw .invalidRate(hertz: sampleRate) }
        try Self.check("limiter sample rate", sampleRate, 1000...768_000, "hertz")
        try Self.check("limiter ceiling", ceiling, -60...0, "dBTP")
        try Self.check("limiter gain", gain, 0...1000, "")
        try Self.check("limiter look-ahead", lookAhead, 0.0005...0.1, "seconds")
        try Self.check("limiter release", release, 0.001...10, "seconds")
        oversampler = try Resampler(TruePeakFilter.filter, channels: channels)
        self.channels = channels
        self.gain = Float(gain)
        // Rounded down, so that not even the last bit is above what was asked for.
        let exact = Decibels.amplitude(ceiling)
        self.ceiling = Double(Float(exact)) > exact ? Float(exact).nextDown : Float(exact)
        // Two averages of half the look-ahead, one after the other, are a triangular window; the
        // minimum spans both.
        let half = max(1, Int((lookAhead * sampleRate / 2).rounded()))
        minimum = SlidingMinimum(length: 2 * half - 1)
        averages = GainSmoother(length: half)
        recovery = 1 - exp(-1 / (release * sampleRate))
        latency = 2 * half - 2 + oversampler.latency
        delayLength = latency + Self.blockLength
        delayed = AlignedStorage(count: delayLength * channels)
        block = AlignedStorage(count: Self.blockLength * channels)
        oversampled = AlignedStorage(count: (Self.blockLength + 1) * TruePeakFilter.factor * channels)
    }

    private static func check(
        _ name: String, _ value: Double, _ range: ClosedRange<Double>, _ unit: String
    ) throws(DSPError) {
        guard range.contains(value) else {
            throw .invalidParameter(
                name: name, value: value, allowed: "\(range.lowerBound) to \(range.upperBound) \(unit)")
        }
    }
}

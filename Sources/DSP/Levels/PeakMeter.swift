/// The highest peak of a stream: of its samples, and of the sound between them ("true peak",
/// ITU-R BS.1770-5 Annex 2).
///
/// Four points a sample can still pass by the top of a tone: cos(π·f/8) of it is what they read in the
/// worst phase at f times Nyquist, 0.17 dB low at half of Nyquist and 0.55 dB at 0.9. Samples that are
/// not finite count as silence.
public struct PeakMeter: ~Copyable, Sendable {
    /// Interleaved channels.
    public let channels: Int
    /// The largest magnitude of a sample so far; linear, 0 before any.
    public private(set) var samplePeak: Float = 0
    private var betweenPeak: Float = 0
    private var oversampler: Resampler
    private let scratch: AlignedStorage<Float>

    /// Frames oversampled at a time.
    private static let block = 256

    /// - Throws: `DSPError.invalidChannelCount` outside 1 to 64.
    public init(channels: Int = 1) throws(DSPError) {
        oversampler = try Resampler(TruePeakFilter.filter, channels: channels)
        self.channels = channels
        scratch = AlignedStorage(count: (Self.block + 1) * TruePeakFilter.factor * channels)
    }

    /// The true peak so far, linear: never below `samplePeak`. The last 24 frames are not yet in it
    /// before `finish`.
    public var truePeak: Float { max(samplePeak, betweenPeak) }

    /// Looks at the next frames. Does not allocate or block.
    public mutating func step(_ input: Span<Float>) {
        var start = 0
        while start < input.count {
            let end = min(input.count, start + Self.block * channels)
            let part = input.extracting(start..<end)
            for index in 0..<part.count where part[index].isFinite {
                samplePeak = max(samplePeak, abs(part[index]))
            }
            var output = scratch.buffer.mutableSpan
            let count = oversampler.step(part, into: &output).produced * channels
            look(count)
            start = end
        }
    }

    /// `step` for an array.
    public mutating func step(_ input: [Float]) { step(input.span) }

    /// Ends the stream: the sound after the last sample counts too.
    public mutating func finish() {
        while true {
            var output = scratch.buffer.mutableSpan
            let count = oversampler.finish(into: &output) * channels
            if count == 0 { return }
            look(count)
        }
    }

    /// Forgets everything.
    public mutating func reset() {
        oversampler.reset()
        (samplePeak, betweenPeak) = (0, 0)
    }

    private mutating func look(_ count: Int) {
        for index in 0..<count { betweenPeak = max(betweenPeak, abs(scratch.pointer[index])) }
    }

    /// The true peak of a whole recording, linear.
    ///
    /// - Throws: `DSPError.invalidChannelCount`.
    public static func truePeak(of samples: [Float], channels: Int = 1) throws(DSPError) -> Float {
        var meter = try PeakMeter(channels: channels)
        meter.step(samples.span)
        meter.finish()
        return meter.truePeak
    }

    /// Scales a whole recording so that its true peak is at `level` dBTP, and returns the factor
    /// used. Silence stays silence (factor 1). Samples that are not finite become 0.
    ///
    /// Loudness differs between voices and sentences far less than peaks do: to make recordings equally
    /// loud, use `LoudnessMeter.normalize`.
    ///
    /// - Parameter level: in dBTP, finite.
    /// - Throws: `DSPError`.
    @discardableResult
    public static func normalize(
        _ samples: inout [Float], to level: Double = -1, channels: Int = 1
    ) throws(DSPError) -> Float {
        guard level.isFinite else {
            throw .invalidParameter(name: "peak level", value: level, allowed: "a finite number of dBTP")
        }
        let peak = Double(try truePeak(of: samples, channels: channels))
        let factor = peak > 0 ? Float(Decibels.amplitude(level) / peak) : 1
        // The quotient of a very small peak may be past float32.
        guard factor.isFinite else { return 1 }
        for index in samples.indices {
            samples[index] = samples[index].isFinite ? samples[index] * factor : 0
        }
        return factor
    }
}

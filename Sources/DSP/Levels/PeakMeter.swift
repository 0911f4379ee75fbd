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

    /// Looks at the next frames; samples after the last whole frame are not taken. Does not allocate or
    /// block.
    public mutating func step(_ input: Span<Float>) {
        let whole = input.count / channels * channels
        var start = 0
        while start < whole {
            let end = min(whole, start + Self.block * channels)
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

    /// Samples near the end of float32's range can take the filter past it; what is not finite is passed over.
    private mutating func look(_ count: Int) {
        for index in 0..<count where scratch.pointer[index].isFinite {
            betweenPeak = max(betweenPeak, abs(scratch.pointer[index]))
        }
    }
}

extension PeakMeter {
    /// The true peak of a whole recording, linear; 0 if it is empty.
    ///
    /// - Throws: `DSPError.invalidChannelCount`, `.partialFrame`.
    public static func truePeak(of samples: [Float], channels: Int = 1) throws(DSPError) -> Float {
        var meter = try PeakMeter(channels: channels)
        guard samples.count % channels == 0 else {
            throw .partialFrame(samples: samples.count, channels: channels)
        }
        meter.step(samples.span)
        meter.finish()
        return meter.truePeak
    }

    /// Brings the true peak of a whole recording to `level`, by one gain.
    ///
    /// Recordings with equal peaks are not equally loud; for that, use `LoudnessMeter.normalize`.
    ///
    /// - Parameter level: in dBTP, -200 to 60.
    /// - Returns: the result, as long as the input, with 0 for samples that are not finite, and the gain in
    ///   dB; 0 dB for silence, and for what is too quiet for a factor that float32 can hold.
    /// - Throws: `DSPError.invalidParameter`, `.invalidChannelCount`, `.partialFrame`.
    public static func normalize(
        _ samples: [Float], to level: Double = -1, channels: Int = 1
    ) throws(DSPError) -> (samples: [Float], gain: Double) {
        guard (-200...60).contains(level) else {
            throw .invalidParameter(name: "peak level", value: level, allowed: "-200 to 60 dBTP")
        }
        let peak = Double(try truePeak(of: samples, channels: channels))
        var factor = peak > 0 ? Float(Decibels.amplitude(level) / peak) : 1
        if !factor.isFinite { factor = 1 }
        return (samples.map { $0.isFinite ? $0 * factor : 0 }, Decibels.level(Double(factor)))
    }
}

import Glibc

/// Measures loudness as EBU R 128 does: K-weighted, gated, in LUFS (ITU-R BS.1770-5 Annex 1).
///
/// Blocks of 400 ms, one every 100 ms. Those below -70 LUFS do not count; of the rest, those more than
/// 10 LU below the mean of the rest do not count either. Blocks are kept in a histogram (bins of
/// 0.05 LU, each with its exact sum), so that an hour of audio takes no more memory than a second; the
/// gate is therefore exact to the width of a bin.
///
/// A recording shorter than 400 ms has no block, and no loudness: `integrated` is nil. Samples that
/// are not finite count as silence.
public struct LoudnessMeter: ~Copyable, Sendable {
    /// Interleaved channels.
    public let channels: Int
    /// Of the input, in hertz.
    public let sampleRate: Double
    private var filters: [KWeighting]
    private let weights: [Double]
    /// Weighted energy of the last four tenths of a second, and of the one under way.
    private var tenths: (Double, Double, Double, Double) = (0, 0, 0, 0)
    private var energy = 0.0
    private var frames = 0
    private let tenth: Int
    private var tenthsSeen = 0
    private var histogram = LoudnessHistogram()

    /// The rates at which the weighting filters mean what they should.
    public static let sampleRates: ClosedRange<Double> = 4000...768_000

    /// - Parameters:
    ///   - sampleRate: in hertz, 4000 to 768 000.
    ///   - channels: interleaved, 1 to 6: mono; left, right; left, right, centre; left, right and two
    ///     surrounds; left, right, centre and two surrounds; 5.1 in the order of WAV files, whose
    ///     fourth channel (low frequencies) does not count. Surrounds weigh 1.41.
    /// - Throws: `DSPError`.
    public init(sampleRate: Double, channels: Int = 1) throws(DSPError) {
        guard sampleRate > 0, sampleRate.isFinite else { throw .invalidRate(hertz: sampleRate) }
        guard Self.sampleRates.contains(sampleRate) else {
            throw .invalidParameter(
                name: "loudness sample rate", value: sampleRate, allowed: "4000 to 768000 hertz")
        }
        let layouts: [[Double]] = [
            [1], [1, 1], [1, 1, 1], [1, 1, 1.41, 1.41], [1, 1, 1, 1.41, 1.41], [1, 1, 1, 0, 1.41, 1.41],
        ]
        guard (1...layouts.count).contains(channels) else {
            throw .invalidChannelCount(channels, allowed: 1...layouts.count)
        }
        self.sampleRate = sampleRate
        self.channels = channels
        weights = layouts[channels - 1]
        filters = [KWeighting](repeating: KWeighting(sampleRate: sampleRate), count: channels)
        tenth = Int((sampleRate / 10).rounded())
    }

    /// Measures the next frames; samples after the last whole frame are not taken. Does not allocate
    /// or block.
    public mutating func step(_ input: Span<Float>) {
        for frame in 0..<input.count / channels {
            for channel in 0..<channels {
                let sample = input[frame * channels + channel]
                let weighted = filters[channel].step(sample.isFinite ? Double(sample) : 0)
                energy += weights[channel] * weighted * weighted
            }
            frames += 1
            if frames == tenth { closeTenth() }
        }
    }

    /// `step` for an array.
    public mutating func step(_ input: [Float]) { step(input.span) }

    private mutating func closeTenth() {
        tenths = (tenths.1, tenths.2, tenths.3, energy)
        (energy, frames) = (0, 0)
        tenthsSeen += 1
        if tenthsSeen >= 4 { histogram.add(momentaryEnergy) }
    }

    private var momentaryEnergy: Double {
        (tenths.0 + tenths.1 + tenths.2 + tenths.3) / Double(4 * tenth)
    }

    /// The loudness of the last whole 400 ms, in LUFS; nil before there were any, -∞ in silence.
    public var momentary: Double? {
        tenthsSeen >= 4 ? LoudnessHistogram.loudness(momentaryEnergy) : nil
    }

    /// The loudness of everything so far, in LUFS; nil if there was nothing above -70 LUFS.
    public var integrated: Double? { histogram.gatedLoudness }

    /// Forgets everything.
    public mutating func reset() {
        for index in filters.indices { filters[index].reset() }
        tenths = (0, 0, 0, 0)
        (energy, frames, tenthsSeen) = (0, 0, 0)
        histogram.reset()
    }
}

extension LoudnessMeter {
    /// The integrated loudness of a whole recording, in LUFS, or nil if it is shorter than 400 ms or
    /// nothing of it is above -70 LUFS.
    ///
    /// - Throws: `DSPError`, also for samples that are not a whole number of frames.
    public static func loudness(
        of samples: [Float], sampleRate: Double, channels: Int = 1
    ) throws(DSPError) -> Double? {
        var meter = try LoudnessMeter(sampleRate: sampleRate, channels: channels)
        guard samples.count % channels == 0 else {
            throw .partialFrame(samples: samples.count, channels: channels)
        }
        meter.step(samples.span)
        return meter.integrated
    }

    /// Brings a whole recording to a loudness, by one gain, and keeps its true peak under `ceiling` with
    /// a limiter where that gain would take it above. Where the limiter works, the result is a little
    /// quieter than asked for.
    ///
    /// - Parameters:
    ///   - loudness: in LUFS, -70 to 0. EBU R 128 asks for -23; speech on the web is mostly at -16.
    ///   - ceiling: in dBTP, -60 to 0.
    /// - Returns: the result, as long as the input, and the gain in dB; unchanged and 0 dB if the
    ///   input has no loudness (see `loudness(of:)`).
    /// - Throws: `DSPError`.
    public static func normalize(
        _ samples: [Float], to loudness: Double, sampleRate: Double, ceiling: Double = -1, channels: Int = 1
    ) throws(DSPError) -> (samples: [Float], gain: Double) {
        guard (-70...0).contains(loudness) else {
            throw .invalidParameter(name: "loudness", value: loudness, allowed: "-70 to 0 LUFS")
        }
        guard let found = try self.loudness(of: samples, sampleRate: sampleRate, channels: channels) else {
            return (samples, 0)
        }
        // A thousandfold at most; nothing above -70 LUFS needs more than 70 dB.
        let gain = min(loudness - found, 60)
        let result = try Limiter.limit(
            samples, sampleRate: sampleRate, ceiling: ceiling, gain: Decibels.amplitude(gain),
            channels: channels)
        return (result, gain)
    }
}

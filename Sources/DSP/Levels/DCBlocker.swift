import Glibc

/// Takes a constant offset away: y[n] = (1 + r)/2·(x[n] - x[n-1]) + r·y[n-1], a zero at 0 Hz and a pole
/// inside the unit circle (J. O. Smith, "Introduction to Digital Filters", DC Blocker). The pole is that of
/// the bilinear transform of a first-order high-pass and the gain at Nyquist 1, so the corner is where it
/// was asked for, and everything above ten times its frequency stays as it is, within 0.05 dB.
///
/// No latency. The first sample is taken as the offset's first estimate, so that a recording that
/// starts on its offset does not start with a thump. Samples that are not finite are taken as a
/// repetition of the one before. Interleaved channels are independent.
public struct DCBlocker: Sendable {
    /// Interleaved channels.
    public let channels: Int
    private let pole: Double
    private let gain: Double
    private var inputBefore: [Double]
    private var outputBefore: [Double]
    private var isFresh = true

    /// - Parameters:
    ///   - sampleRate: in hertz.
    ///   - corner: the -3 dB frequency in hertz, above 0 and below an eighth of the sample rate.
    ///   - channels: interleaved, 1 to 64.
    /// - Throws: `DSPError`.
    public init(sampleRate: Double, corner: Double = 5, channels: Int = 1) throws(DSPError) {
        guard sampleRate > 0, sampleRate.isFinite else { throw .invalidRate(hertz: sampleRate) }
        guard corner > 0, corner < sampleRate / 8 else {
            throw .invalidParameter(
                name: "DC blocker corner", value: corner, allowed: "above 0 and below \(sampleRate / 8) hertz"
            )
        }
        guard (1...64).contains(channels) else { throw .invalidChannelCount(channels, allowed: 1...64) }
        self.channels = channels
        let tangent = tan(.pi * corner / sampleRate)
        pole = (1 - tangent) / (1 + tangent)
        gain = (1 + pole) / 2
        inputBefore = [Double](repeating: 0, count: channels)
        outputBefore = [Double](repeating: 0, count: channels)
    }

    /// Filters the next frames in place; samples after the last whole frame stay as they are. Does not
    /// allocate or block.
    public mutating func step(_ samples: inout MutableSpan<Float>) {
        for frame in 0..<samples.count / channels {
            for channel in 0..<channels {
                let index = frame * channels + channel
                let before = inputBefore[channel]
                let sample = samples[index].isFinite ? Double(samples[index]) : before
                let output = isFresh ? 0 : gain * (sample - before) + pole * outputBefore[channel]
                inputBefore[channel] = sample
                outputBefore[channel] = output
                samples[index] = Float(output)
            }
            isFresh = false
        }
    }

    /// Forgets everything.
    public mutating func reset() {
        for channel in 0..<channels { (inputBefore[channel], outputBefore[channel]) = (0, 0) }
        isFresh = true
    }

    /// Filters a whole recording.
    ///
    /// - Throws: `DSPError`.
    public static func apply(
        to samples: inout [Float], sampleRate: Double, corner: Double = 5, channels: Int = 1
    ) throws(DSPError) {
        var blocker = try DCBlocker(sampleRate: sampleRate, corner: corner, channels: channels)
        var span = samples.mutableSpan
        blocker.step(&span)
    }
}

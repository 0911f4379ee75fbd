import Glibc

/// Fades at the edges of a recording, where sound starts from nothing or stops: just long enough to
/// take the click away, too short to hear as a fade. 256 samples at 24 kHz, 10.7 ms at any rate.
///
/// The gain is a raised cosine, ½ - ½·cos(π·(n + ½)/length): it leaves 0 and reaches 1 without a
/// corner. Samples that are not finite stay so. In a recording shorter than two fades each fade is half the recording, so that they never
/// overlap.
public struct EdgeFade: Equatable, Sendable {
    /// Which edges fade.
    public enum Edges: String, CaseIterable, Sendable {
        case start, end, both
    }

    /// Samples of a fade, in a recording that is long enough.
    public let length: Int

    /// 256 samples at 24 kHz, and as long at other rates.
    ///
    /// - Throws: `DSPError.invalidRate`, also for rates above 4.3 GHz.
    public init(sampleRate: Double) throws(DSPError) {
        guard sampleRate > 0, sampleRate <= 4_294_967_296 else { throw .invalidRate(hertz: sampleRate) }
        length = Int((256 * sampleRate / 24_000).rounded())
    }

    /// A fade of a given number of samples; below 0 counts as 0.
    public init(length: Int) { self.length = max(0, length) }

    /// The fades' length in a recording of `count` samples.
    public func length(in count: Int) -> Int { min(length, count / 2) }

    /// Fades a whole recording in place. Empty or single samples stay as they are.
    public func apply(_ edges: Edges = .both, to samples: inout MutableSpan<Float>) {
        let length = length(in: samples.count)
        let last = samples.count - 1
        for index in 0..<length {
            let gain = Self.gain(index, of: length)
            if edges != .end { samples[index] *= gain }
            if edges != .start { samples[last - index] *= gain }
        }
    }

    /// Fades a whole recording in place.
    public func apply(_ edges: Edges = .both, to samples: inout [Float]) {
        var span = samples.mutableSpan
        apply(edges, to: &span)
    }

    /// The gain `index` samples from the edge.
    static func gain(_ index: Int, of length: Int) -> Float {
        Float(0.5 - 0.5 * cos(.pi * (Double(index) + 0.5) / Double(length)))
    }
}

/// Takes the silence before and after a recording away, but for a margin; silence inside stays.
///
/// A frame is silent if no channel is above the threshold. The result runs from `margin` frames before
/// the first frame that is not silent to `margin` frames after the last. A recording that is silent
/// throughout becomes empty. Samples that are not finite count as silence (and stay as they are).
///
/// As a stream, silence must be held back until it is known to be inside the recording: at most
/// `longestPause` frames of it. A longer pause is given out as it comes, so of silence at the end only
/// the last `longestPause` frames are trimmed. Any chunking gives the same samples.
public struct SilenceTrimmer: ~Copyable, Sendable {
    /// Magnitude up to which a sample is silence, linear.
    public let threshold: Float
    /// Frames of silence kept at either end.
    public let margin: Int
    /// Frames held back at most.
    public let longestPause: Int
    /// Interleaved channels.
    public let channels: Int
    /// A ring of frames not yet given out, the oldest at `head`.
    private var held: [Float]
    private var head = 0
    private var count = 0
    private var hasStarted = false
    /// Silent frames at the end of what was taken.
    private var silentFrames = 0
    private var isFinishing = false

    /// - Parameters:
    ///   - threshold: in dBFS, -120 to 0: the noise floor of the recording and a little more.
    ///   - margin: frames, 0 or more.
    ///   - longestPause: frames, from `margin` to ten million. The buffer is that long.
    ///   - channels: interleaved, 1 to 64.
    /// - Throws: `DSPError`.
    public init(
        threshold: Double = -50, margin: Int, longestPause: Int, channels: Int = 1
    ) throws(DSPError) {
        let amplitude = try Self.amplitude(threshold)
        try Self.check(margin: margin)
        guard longestPause >= margin, longestPause <= 10_000_000 else {
            throw .invalidParameter(
                name: "longest pause", value: Double(longestPause), allowed: "\(margin) to 10000000 frames")
        }
        guard (1...64).contains(channels) else { throw .invalidChannelCount(channels, allowed: 1...64) }
        self.threshold = amplitude
        self.margin = margin
        self.longestPause = longestPause
        self.channels = channels
        held = [Float](repeating: 0, count: (longestPause + 1) * channels)
    }

    private static func check(margin: Int) throws(DSPError) {
        guard margin >= 0 else {
            throw .invalidParameter(
                name: "silence margin", value: Double(margin), allowed: "0 or more frames")
        }
    }

    private static func amplitude(_ threshold: Double) throws(DSPError) -> Float {
        guard (-120...0).contains(threshold) else {
            throw .invalidParameter(name: "silence threshold", value: threshold, allowed: "-120 to 0 dBFS")
        }
        return Float(Decibels.amplitude(threshold))
    }

    /// Frames held back at most: how much later than its input a frame can come out.
    public var latency: Int { longestPause }

    /// Takes the next frames; gives those that are known to belong to the result. Does not allocate or
    /// block.
    ///
    /// - Parameters:
    ///   - output: with `longestPause + 1` more frames of room than there is input everything is consumed;
    ///     with less, perhaps not.
    public mutating func step(_ input: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        if isFinishing { reset() }
        var result = StreamCount(consumed: 0, produced: 0)
        let room = output.count / channels
        while true {
            while count > due {
                guard result.produced < room else { return result }
                for channel in 0..<channels {
                    output[result.produced * channels + channel] = held[head * channels + channel]
                }
                drop()
                result.produced += 1
            }
            guard (result.consumed + 1) * channels <= input.count else { return result }
            append(input, frame: result.consumed)
            result.consumed += 1
        }
    }

    /// Frames that stay held for now: before the start, the margin; inside, the silence so far.
    private var due: Int { hasStarted ? min(silentFrames, longestPause) : count }

    private mutating func append(_ input: Span<Float>, frame: Int) {
        var isSilent = true
        for channel in 0..<channels {
            let sample = input[frame * channels + channel]
            if abs(sample) > threshold, sample.isFinite { isSilent = false }
        }
        if !hasStarted, isSilent {
            // Before the recording starts only the margin before the present frame is of interest.
            if margin == 0 { return }
            if count == margin { drop() }
        }
        let place = (head + count) % (longestPause + 1) * channels
        for channel in 0..<channels { held[place + channel] = input[frame * channels + channel] }
        count += 1
        silentFrames = isSilent ? silentFrames + 1 : 0
        if !isSilent { hasStarted = true }
    }

    private mutating func drop() {
        head = (head + 1) % (longestPause + 1)
        count -= 1
    }

    /// Ends the recording and gives the margin after its last sound, as much as there is room for; call
    /// again until it returns 0.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        if !isFinishing {
            isFinishing = true
            // Given out already: what of the silence was beyond the longest pause. None held: no sound.
            count = hasStarted ? min(count, margin) : 0
        }
        let given = min(count, output.count / channels)
        for frame in 0..<given {
            for channel in 0..<channels {
                output[frame * channels + channel] = held[head * channels + channel]
            }
            drop()
        }
        return given
    }

    /// Forgets everything taken so far.
    public mutating func reset() {
        (head, count, hasStarted, silentFrames, isFinishing) = (0, 0, false, 0, false)
    }
}

extension SilenceTrimmer {
    /// `step` into a new array.
    public mutating func step(_ input: [Float]) -> [Float] {
        [Float](room: input.count + count * channels, of: 0) { output in
            step(input.span, into: &output).produced * channels
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [Float] {
        [Float](room: count * channels, of: 0) { output in
            finish(into: &output) * channels
        }
    }

    /// The frames of a whole recording that trimming keeps; empty if it is silent throughout. Pauses may
    /// be of any length.
    ///
    /// - Parameters:
    ///   - threshold: in dBFS, -120 to 0.
    ///   - margin: frames of silence kept at either end, 0 or more.
    ///   - channels: interleaved, 1 or more.
    /// - Throws: `DSPError`.
    public static func range(
        in samples: [Float], threshold: Double = -50, margin: Int, channels: Int = 1
    ) throws(DSPError) -> Range<Int> {
        let amplitude = try amplitude(threshold)
        try check(margin: margin)
        guard channels >= 1 else { throw .invalidChannelCount(channels, allowed: 1...Int.max) }
        let frames = samples.count / channels
        let isSound = { (sample: Float) in abs(sample) > amplitude && sample.isFinite }
        guard let first = samples.firstIndex(where: isSound), let last = samples.lastIndex(where: isSound)
        else { return 0..<0 }
        let (start, end) = (first / channels, last / channels + 1)
        return max(0, start - margin)..<min(frames, end + min(margin, frames))
    }

    /// A whole recording without the silence at its ends.
    ///
    /// - Throws: `DSPError`.
    public static func trim(
        _ samples: [Float], threshold: Double = -50, margin: Int, channels: Int = 1
    ) throws(DSPError) -> [Float] {
        let range = try range(in: samples, threshold: threshold, margin: margin, channels: channels)
        return Array(samples[range.lowerBound * channels..<range.upperBound * channels])
    }
}

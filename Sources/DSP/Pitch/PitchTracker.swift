/// Follows the fundamental frequency of one voice, 60 to 500 Hz, with a frame every 5 ms.
///
/// Normalised cross-correlation below about 2 kHz gives the candidates of each frame, and dynamic programming
/// over them the path; sources: Talkin 1995 (RAPT) and Boersma 1993. A stream is followed with `step` and
/// ended with `finish`; any chunking gives the same frames.
///
/// Frame i is centred on sample i · `hop`; a stream of n samples has ⌈n / hop⌉ frames, none for n = 0.
/// Samples that are not finite count as 0. Mono.
public struct PitchTracker: ~Copyable, Sendable {
    /// Samples from one frame to the next: 5 ms, rounded.
    public let hop: Int
    /// Samples after a frame's centre that must have come before the frame is given: about 50 ms.
    public let latency: Int

    private var input: HopInput
    private var analysis: PitchAnalysis
    private var given = 0
    /// Frames of the whole stream, once its end is known.
    private var total: Int?

    /// - Parameter sampleRate: in hertz, 8 000 to 48 000.
    /// - Throws: `DSPError.invalidRate`, `.invalidParameter`.
    public init(sampleRate: Double) throws(DSPError) {
        let grid = try PitchGrid(sampleRate: sampleRate)
        hop = grid.hop
        latency = PitchAnalysis.delay(grid) * grid.hop
        input = HopInput(hop: grid.hop, keeping: PitchAnalysis.memory(grid))
        analysis = PitchAnalysis(grid)
    }

    /// Frames that one `step` of `inputCount` samples gives.
    public func maximumOutput(for inputCount: Int) -> Int {
        let due = input.received + inputCount - latency
        return (due < 0 ? 0 : due / hop + 1) - given
    }

    /// Frames that `finish` gives if nothing more comes.
    public var remainingOutput: Int { (total ?? (input.received + hop - 1) / hop) - given }

    /// Takes the next samples and gives the frames that they complete. Does not allocate or block.
    ///
    /// - Parameter output: with room for `maximumOutput(for:)` frames everything is consumed; with less,
    ///   perhaps not.
    /// - Returns: samples consumed and frames produced.
    public mutating func step(_ samples: Span<Float>, into output: inout MutableSpan<PitchFrame>)
        -> StreamCount
    {
        if total != nil { reset() }
        // What comes before the first frame that would find no room.
        let most = latency + (given + output.count) * hop - 1 - input.received
        let count = min(samples.count, max(0, most))
        var written = 0
        var next = 0
        while next < count {
            let taken = input.take(samples, in: next..<count)
            next = taken.next
            guard taken.isComplete, let frame = analysis.advance(over: input.history) else { continue }
            output[written] = frame
            written += 1
        }
        given += written
        return StreamCount(consumed: count, produced: written)
    }

    /// Ends the stream and gives its last frames, as many as there is room for; call again until it returns
    /// 0. Then the tracker is as new. Does not allocate or block.
    public mutating func finish(into output: inout MutableSpan<PitchFrame>) -> Int {
        let total = self.total ?? (input.received + hop - 1) / hop
        self.total = total
        var written = 0
        while given < total, written < output.count {
            input.takeSilence()
            guard let frame = analysis.advance(over: input.history) else { continue }
            output[written] = frame
            written += 1
            given += 1
        }
        if given == total { reset() }
        return written
    }

    /// Forgets the stream.
    public mutating func reset() {
        input.reset()
        analysis.reset()
        (given, total) = (0, nil)
    }
}

extension PitchTracker {
    /// `step` into a new array.
    public mutating func step(_ samples: [Float]) -> [PitchFrame] {
        [PitchFrame](room: maximumOutput(for: samples.count), of: .unvoiced) { output in
            step(samples.span, into: &output).produced
        }
    }

    /// `finish` into a new array.
    public mutating func finish() -> [PitchFrame] {
        [PitchFrame](room: remainingOutput, of: .unvoiced) { output in finish(into: &output) }
    }

    /// The pitch frames of a whole sound.
    ///
    /// - Throws: `DSPError.invalidRate`, `.invalidParameter`.
    public static func track(_ samples: [Float], sampleRate: Double) throws(DSPError) -> [PitchFrame] {
        var tracker = try PitchTracker(sampleRate: sampleRate)
        return tracker.step(samples) + tracker.finish()
    }
}

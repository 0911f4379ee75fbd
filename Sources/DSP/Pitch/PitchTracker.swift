/// Follows the fundamental frequency of one voice, 60 to 500 Hz, with a frame every 5 ms.
///
/// Normalised cross-correlation below about 2 kHz gives the candidates of each frame, and dynamic programming
/// over them the path; sources: Talkin 1995 (RAPT) and Boersma 1993. A stream is followed with `step` and
/// ended with `finish`; any chunking gives the same frames. `step` and `finish` do not allocate or block.
///
/// Frame i is centred on sample i · `hop`; a stream of n samples has ⌈n / hop⌉ frames, none for n = 0.
/// Samples that are not finite count as 0.
public struct PitchTracker: ~Copyable {
    /// Samples from one frame to the next: 5 ms, rounded.
    public let hop: Int
    /// Samples after a frame's centre that must have come before the frame is given: about 50 ms.
    public let latency: Int

    private var input: HopInput
    private var analysis: PitchAnalysis
    private var given = 0

    /// - Parameter sampleRate: hertz, 8 000 to 48 000.
    /// - Throws: `PitchError.unsupportedSampleRate`.
    public init(sampleRate: Int) throws(PitchError) {
        let grid = try PitchGrid(sampleRate: sampleRate)
        hop = grid.hop
        latency = PitchAnalysis.delay(grid) * grid.hop
        input = HopInput(hop: grid.hop, keeping: PitchAnalysis.memory(grid))
        analysis = PitchAnalysis(grid)
    }

    /// Room that `step` needs for its next frames when given `inputCount` samples.
    public func outputCapacity(forInput inputCount: Int) -> Int {
        let due = input.received + inputCount - latency
        return (due < 0 ? 0 : due / hop + 1) - given
    }

    /// Room that `finish` needs.
    public var finishCapacity: Int { (input.received + hop - 1) / hop - given }

    /// Takes samples and gives the frames they complete.
    /// - Returns: how many frames were written to the start of `output`.
    /// - Throws: `PitchError.outputTooShort`, before anything is taken.
    public mutating func step(_ samples: Span<Float>, into output: inout MutableSpan<PitchFrame>)
        throws(PitchError) -> Int
    {
        let needed = outputCapacity(forInput: samples.count)
        guard needed <= output.count else { throw .outputTooShort(needed: needed, available: output.count) }
        var written = 0
        var next = 0
        while next < samples.count {
            let taken = input.take(samples, from: next)
            next = taken.next
            guard taken.isComplete, let frame = analysis.advance(over: input.history) else { continue }
            output[written] = frame
            written += 1
        }
        given += written
        return written
    }

    /// Ends the stream and gives its last frames. The tracker is then as new.
    /// - Returns: how many frames were written to the start of `output`.
    /// - Throws: `PitchError.outputTooShort`, before anything is changed.
    public mutating func finish(into output: inout MutableSpan<PitchFrame>) throws(PitchError) -> Int {
        let needed = finishCapacity
        guard needed <= output.count else { throw .outputTooShort(needed: needed, available: output.count) }
        var written = 0
        while written < needed {
            input.takeSilence()
            guard let frame = analysis.advance(over: input.history) else { continue }
            output[written] = frame
            written += 1
        }
        reset()
        return written
    }

    /// Forgets the stream.
    public mutating func reset() {
        input.reset()
        analysis.reset()
        given = 0
    }
}

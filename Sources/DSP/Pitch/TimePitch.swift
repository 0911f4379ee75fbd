/// Changes the pitch of speech and keeps its duration and its formants, changes its tempo and keeps its
/// pitch, or both.
///
/// Voiced sound is cut into its periods, found with `PitchTracker`, which are set closer or wider apart and
/// left out or repeated as the ratios ask (TD-PSOLA; Moulines and Charpentier 1990). Everything else keeps
/// its samples when only the pitch changes, and is spliced where it is most like itself when the tempo does
/// (WSOLA; Verhelst and Roelands 1993); a sudden sound is given once, undivided. It is made for one voice:
/// music and several voices at once take audible harm. Speech from the model is better made at its tempo than
/// stretched afterwards.
///
/// Loudness is kept, to about a decibel. That means higher peaks when the pitch falls, by up to 3 dB at 0.5:
/// a limiter belongs behind it where samples must not pass full scale.
///
/// A stream of one channel goes through `step` and ends with `finish`; any chunking gives the same samples.
/// The output is `1 / tempo` times as long as the input, rounded, and its sample i belongs to the input at
/// i · tempo: the delay is compensated. Neither call allocates or blocks. With both ratios 1 every sample passes
/// as it is, whatever it holds; otherwise samples that are not finite count as 0 and magnitudes above 10¹⁵ as
/// that. No samples give none.
public struct TimePitch: ~Copyable {
    /// The ratios, of pitch and of tempo, that can be asked for.
    public static let range: ClosedRange<Double> = 0.5...2

    /// Pitch of the output over pitch of the input.
    public let pitch: Double
    /// Speed of the output over speed of the input: 2 is twice as fast and half as long.
    public let tempo: Double
    /// Input samples that must follow before a sample's output is given: after n samples in all, exactly
    /// ⌊(n − latency) / tempo⌋ are out. 0 when both ratios are 1; else 0.10 to 0.22 s, most for a low pitch at a
    /// fast tempo.
    public let latency: Int

    private let planner: GrainPlanner
    private var input: HopInput
    private var analysis: PitchAnalysis
    private var marker: PitchMarker
    private var onsets: OnsetDetector
    private var renderer: GrainRenderer
    private var last = Grain.first
    private var received = 0
    private var given = 0

    /// - Parameters:
    ///   - sampleRate: hertz, 8 000 to 48 000.
    ///   - pitch: 0.5 (an octave down) to 2 (an octave up).
    ///   - tempo: 0.5 (half as fast) to 2 (twice as fast).
    /// - Throws: `PitchError.unsupportedSampleRate`, `.pitchOutOfRange`, `.tempoOutOfRange`.
    public init(sampleRate: Int, pitch: Double = 1, tempo: Double = 1) throws(PitchError) {
        guard Self.range.contains(pitch) else { throw .pitchOutOfRange(pitch) }
        guard Self.range.contains(tempo) else { throw .tempoOutOfRange(tempo) }
        let grid = try PitchGrid(sampleRate: sampleRate)
        let planner = GrainPlanner(grid, pitch: pitch, tempo: tempo)
        let delay = TimePitchDelay(grid, planner)
        self.pitch = pitch
        self.tempo = tempo
        self.planner = planner
        latency = pitch == 1 && tempo == 1 ? 0 : delay.latency
        input = HopInput(hop: grid.hop, keeping: delay.memory)
        analysis = PitchAnalysis(grid)
        marker = PitchMarker(grid, memory: delay.memory)
        onsets = OnsetDetector(grid)
        renderer = GrainRenderer(
            pitch: pitch, overhang: delay.overhang, capacity: delay.capacity, longest: delay.longestJoin)
    }

    /// Room that `step` needs when it is given `inputCount` samples next.
    public func outputCapacity(forInput inputCount: Int) -> Int { due(after: received + inputCount) - given }

    /// Room that `finish` needs.
    public var finishCapacity: Int { Self.outputCount(forInput: received, tempo: tempo) - given }

    /// The length that a whole sound of `inputCount` samples has at this tempo.
    static func outputCount(forInput inputCount: Int, tempo: Double) -> Int {
        Int((Double(inputCount) / tempo).rounded())
    }

    /// Takes samples and gives those that are ready.
    /// - Returns: how many samples were written to the start of `output`.
    /// - Throws: `PitchError.outputTooShort`, before anything is taken.
    public mutating func step(_ samples: Span<Float>, into output: inout MutableSpan<Float>)
        throws(PitchError) -> Int
    {
        let needed = outputCapacity(forInput: samples.count)
        guard needed <= output.count else { throw .outputTooShort(needed: needed, available: output.count) }
        if latency == 0 {
            for i in samples.indices { output[i] = samples[i] }
            received += samples.count
            given += samples.count
            return samples.count
        }
        var written = 0
        var next = 0
        while next < samples.count {
            let taken = input.take(samples, from: next)
            received += taken.next - next
            next = taken.next
            if taken.isComplete { advance(end: nil) }
            give(upTo: due(after: received), into: &output, at: &written)
        }
        return written
    }

    /// Ends the stream and gives what is left. The processor is then as new.
    /// - Returns: how many samples were written to the start of `output`.
    /// - Throws: `PitchError.outputTooShort`, before anything is changed.
    public mutating func finish(into output: inout MutableSpan<Float>) throws(PitchError) -> Int {
        let needed = finishCapacity
        guard needed <= output.count else { throw .outputTooShort(needed: needed, available: output.count) }
        let total = given + needed
        let end = received
        var written = 0
        while given < total {
            input.takeSilence()
            advance(end: end)
            give(upTo: min(total, due(after: input.received)), into: &output, at: &written)
        }
        reset()
        return written
    }

    /// Forgets the stream.
    public mutating func reset() {
        input.reset()
        analysis.reset()
        marker.reset()
        onsets.reset()
        renderer.reset()
        last = .first
        received = 0
        given = 0
    }

    /// Complete samples that the latency holds back: what shows, in tests, that it is long enough.
    var spare: Double { latency == 0 || given == 0 ? 0 : renderer.complete - Double(given) }

    private func due(after count: Int) -> Int { Int(max(0, Double(count - latency) / tempo)) }

    private mutating func give(upTo end: Int, into output: inout MutableSpan<Float>, at offset: inout Int) {
        guard end > given else { return }
        assert(
            Double(end) <= renderer.complete,
            "output asked for before it is complete: the latency is too short")
        renderer.take(end - given, into: &output, at: offset)
        offset += end - given
        given = end
    }

    /// Goes as far as the newest hop of input allows.
    private mutating func advance(end: Int?) {
        if tempo != 1 { onsets.advance(over: input.history) }
        guard let frame = analysis.advance(over: input.history) else { return }
        marker.advance(frame, over: input.history)
        while let grain = planner.next(
            after: last, marks: marker.marks, onsets: onsets, raw: input.history, end: end)
        {
            renderer.join(last, grain, from: input.history)
            last = grain
        }
    }
}

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
/// Mono; any chunking gives the same samples. The output is `1 / tempo` times as long as the input, rounded, and
/// its sample i belongs to the input at i · tempo: the delay is compensated. With both ratios 1 every sample
/// passes as it is, whatever it holds; otherwise samples that are not finite count as 0 and magnitudes above 10¹⁵
/// as that. No samples give none.
///
///     var processor = try TimePitch(sampleRate: 24_000, pitch: 1.2)
///     var sound = processor.step(chunk)
///     sound += processor.finish()
public struct TimePitch: ~Copyable, Sendable {
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
    /// Samples of the whole input and output, once the end is known.
    private var ending: (input: Int, output: Int)?

    /// - Parameters:
    ///   - sampleRate: in hertz, 8 000 to 48 000.
    ///   - pitch: 0.5 (an octave down) to 2 (an octave up).
    ///   - tempo: 0.5 (half as fast) to 2 (twice as fast).
    /// - Throws: `DSPError.invalidRate`, `.invalidParameter`.
    public init(sampleRate: Double, pitch: Double = 1, tempo: Double = 1) throws(DSPError) {
        guard Self.range.contains(pitch) else {
            throw .invalidParameter(
                name: "pitch ratio", value: pitch, allowed: "0.5 (an octave down) to 2 (an octave up)")
        }
        guard Self.range.contains(tempo) else {
            throw .invalidParameter(
                name: "tempo ratio", value: tempo, allowed: "0.5 (half as fast) to 2 (twice as fast)")
        }
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

    /// Samples that one `step` of `inputCount` samples gives.
    public func maximumOutput(for inputCount: Int) -> Int { due(after: received + inputCount) - given }

    /// Samples that `finish` gives if nothing more comes.
    public var remainingOutput: Int {
        (ending?.output ?? Self.outputCount(forInput: received, tempo: tempo)) - given
    }

    /// The length that a whole sound of `inputCount` samples has at this tempo.
    static func outputCount(forInput inputCount: Int, tempo: Double) -> Int {
        Int((Double(inputCount) / tempo).rounded())
    }

    /// Takes the next samples and gives those that are ready. Does not allocate or block.
    ///
    /// - Parameter output: with `maximumOutput(for:)` samples of room everything is consumed; with less,
    ///   perhaps not.
    public mutating func step(_ samples: Span<Float>, into output: inout MutableSpan<Float>) -> StreamCount {
        if ending != nil { reset() }
        if latency == 0 { return pass(samples, to: &output) }
        var count = StreamCount(consumed: 0, produced: 0)
        while true {
            give(upTo: due(after: received), into: &output, at: &count.produced)
            guard count.consumed < samples.count, given == due(after: received) else { return count }
            let end = min(samples.count, count.consumed + inputFor(output.count - count.produced))
            let taken = input.take(samples, in: count.consumed..<end)
            received += taken.next - count.consumed
            count.consumed = taken.next
            if taken.isComplete { advance(end: nil) }
        }
    }

    /// Ends the stream and gives what is left, as much as there is room for; call again until it returns 0. Then
    /// the processor is as new. Does not allocate or block.
    public mutating func finish(into output: inout MutableSpan<Float>) -> Int {
        let ending = self.ending ?? (input: received, output: given + remainingOutput)
        self.ending = ending
        var written = 0
        while true {
            give(upTo: min(ending.output, due(after: input.received)), into: &output, at: &written)
            guard given < ending.output, written < output.count else { break }
            input.takeSilence()
            advance(end: ending.input)
        }
        if given == ending.output { reset() }
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
        (received, given, ending) = (0, 0, nil)
    }

    /// Complete samples that the latency holds back: what shows, in tests, that it is long enough.
    var spare: Double { latency == 0 || given == 0 ? 0 : renderer.complete - Double(given) }

    private func due(after count: Int) -> Int { Int(max(0, Double(count - latency) / tempo)) }

    /// Samples of input whose output fits `room`; one at least, whose output, two samples at most, may have to
    /// wait for the next step.
    private func inputFor(_ room: Int) -> Int {
        let end = latency + Int(Double(given + room) * tempo)
        return max(1, end - received)
    }

    /// Gives samples up to a position in the output, as far as there is room.
    private mutating func give(upTo end: Int, into output: inout MutableSpan<Float>, at offset: inout Int) {
        assert(
            Double(end) <= max(renderer.complete, Double(given)),
            "output asked for before it is complete: the latency is too short")
        let count = min(end - given, output.count - offset)
        guard count > 0 else { return }
        renderer.take(count, into: &output, at: offset)
        offset += count
        given += count
    }

    /// Both ratios are 1.
    private mutating func pass(_ samples: Span<Float>, to output: inout MutableSpan<Float>) -> StreamCount {
        let count = min(samples.count, output.count)
        for i in 0..<count { output[i] = samples[i] }
        received += count
        given += count
        return StreamCount(consumed: count, produced: count)
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

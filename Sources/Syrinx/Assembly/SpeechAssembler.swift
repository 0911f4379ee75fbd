import DSP

/// Makes the audio that is saved or heard from what a source gives: the one way there is, so that what is heard is
/// what is saved, bit for bit.
///
/// In this order: every inference's peak to full scale (if asked for); joins between sentences, silence or crossfade;
/// pitch; sample rate; volume, with a limiter where samples could pass full scale; a fade of 10.7 ms at the start
/// and at the end of the whole. With default options and the source's own rate only the joins and the two fades
/// touch a sample. How the samples are divided into pieces changes nothing.
struct SpeechAssembler: ~Copyable {
    /// Hertz of what comes out.
    let sampleRate: Int
    private var normalizer: InferenceNormalizer?
    private var joiner: SentenceJoiner
    private var pitch: PitchStage
    private var resampler: Resampler
    private var level: LevelStage
    private var fader: EdgeFader

    /// - Parameter sourceRate: hertz of the pieces' samples.
    /// - Throws: `SpeechError.invalidOption`, for a rate that no pitch can be changed at among others.
    init(sourceRate: Int, options: GenerationOptions) throws(SpeechError) {
        let options = try options.validated()
        let rate = options.sampleRate ?? sourceRate
        let pitch = try PitchStage(ratio: options.pitch, sampleRate: sourceRate)
        let joiner = try Self.make(rate) { () throws(DSPError) in
            try SentenceJoiner(
                silence: options.sentenceSilence, crossfade: options.crossfade, sampleRate: sourceRate)
        }
        let resampler = try Self.make(rate) { () throws(DSPError) in
            try Resampler(from: Double(sourceRate), to: Double(rate))
        }
        let level = try Self.make(rate) { () throws(DSPError) in try LevelStage(options, sampleRate: rate) }
        let fader = try Self.make(rate) { () throws(DSPError) in
            try EdgeFader(EdgeFade(sampleRate: Double(rate)))
        }
        sampleRate = rate
        normalizer = options.normalizes ? InferenceNormalizer() : nil
        self.pitch = pitch
        self.joiner = joiner
        self.resampler = resampler
        self.level = level
        self.fader = fader
    }

    private static func make<Stage: ~Copyable>(
        _ rate: Int, _ body: () throws(DSPError) -> Stage
    ) throws(SpeechError) -> Stage {
        do throws(DSPError) { return try body() } catch {
            throw .invalidOption(name: "sample rate", value: "\(rate)", expected: "one that can be made: \(error)")
        }
    }

    /// Takes a piece and gives the samples that have become ready, and the marks whose times have become known.
    mutating func step(_ piece: SpeechPiece) -> (audio: [Float], marks: [SpeechMark]) {
        guard normalizer != nil else { return join(piece) }
        guard let whole = normalizer?.step(piece) else { return ([], []) }
        return join(whole)
    }

    /// The last samples. Nothing may follow.
    mutating func finish() -> (audio: [Float], marks: [SpeechMark]) {
        var last: (audio: [Float], marks: [SpeechMark]) = ([], [])
        if let rest = normalizer?.finish() { last = join(rest) }
        last.audio += shape(resampler.step(pitch.step(joiner.finish())))
        last.audio += shape(resampler.step(pitch.finish()))
        last.audio += shape(resampler.finish())
        last.audio += fader.step(level.finish())
        last.audio += fader.finish()
        return last
    }

    private mutating func join(_ piece: SpeechPiece) -> (audio: [Float], marks: [SpeechMark]) {
        let joined = joiner.step(piece)
        return (shape(resampler.step(pitch.step(joined.samples))), joined.marks)
    }

    private mutating func shape(_ samples: [Float]) -> [Float] { fader.step(level.step(samples)) }
}

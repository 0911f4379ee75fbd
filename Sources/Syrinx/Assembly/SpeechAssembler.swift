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
    private let sourceRate: Int
    /// Samples that have come out.
    private var given = 0
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
        self.sourceRate = sourceRate
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

    /// What went in and has not come out, in seconds.
    struct Held: Equatable {
        /// Of an inference that comes out as a whole at its end.
        var inference = 0.0
        /// In stages that are a fixed time late: crossfade, pitch, sample rate, limiter, the fade of the end. It comes
        /// out with the last piece.
        var delay = 0.0
    }

    var held: Held {
        Held(
            inference: Double(normalizer?.heldSamples ?? 0) / Double(sourceRate),
            delay: max(0, Double(joiner.joinedSamples) / Double(sourceRate) - Double(given) / Double(sampleRate)))
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
        last.audio += counted(fader.step(level.finish()))
        last.audio += counted(fader.finish())
        return last
    }

    private mutating func join(_ piece: SpeechPiece) -> (audio: [Float], marks: [SpeechMark]) {
        let joined = joiner.step(piece)
        return (shape(resampler.step(pitch.step(joined.samples))), joined.marks)
    }

    private mutating func shape(_ samples: [Float]) -> [Float] { counted(fader.step(level.step(samples))) }

    private mutating func counted(_ samples: [Float]) -> [Float] {
        given += samples.count
        return samples
    }
}

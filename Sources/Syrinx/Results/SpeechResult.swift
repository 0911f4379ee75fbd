/// What became of a request.
public struct SpeechResult: Sendable {
    /// How a request ended.
    public enum FinishReason: String, Sendable {
        /// The whole input has been spoken.
        case finished
        /// The callback returned false, or playback was ended from outside (`audioOutput.stopPlayback`) before all had
        /// been heard: the audio is what was ready by then.
        case cancelled
    }

    /// Mono samples, -1 ... 1. Empty where the request was told not to keep them.
    public var audio: [Float]
    /// Hertz.
    public var sampleRate: Int
    /// Samples that were made; `audio.count` where they were kept.
    public var sampleCount: Int
    /// Whether all has been spoken.
    public var finishReason: FinishReason
    /// How long it took.
    public var timings: SpeechTimings
    /// When sentences, words and phonemes are said. Empty where the request was told not to keep the audio; the callback
    /// has had them then.
    ///
    /// In the order of the text, an inference at a time: the sentence (with its first inference), its words, their
    /// phonemes. Of one kind, each begins where the one before it ends, or later.
    ///
    /// With a crossfade that holds within a sentence alone. The next one begins up to the crossfade's length before the
    /// sound so far has ended, so its first marks overlap the last ones of the sentence before; where a sentence or
    /// its last word is shorter than the crossfade, what follows in the text may even begin before it. Sort by `start`
    /// for the order in time.
    public var marks: [SpeechMark]
    /// The seed that gives the same samples again.
    public var seed: UInt64
    /// Phonemes that the voice does not know and that were not spoken.
    public var skippedPhonemes: Set<Unicode.Scalar>
    /// Gaps that were heard within the audio because it was not made fast enough; 0 where nothing was played.
    public var underrunCount: Int

    /// A result made by hand, to try out what uses one. Nothing is checked.
    ///
    /// - Parameter sampleCount: nil for as many as there are in `audio`.
    public init(
        audio: [Float] = [], sampleRate: Int = 0, sampleCount: Int? = nil, finishReason: FinishReason = .finished,
        timings: SpeechTimings = SpeechTimings(), marks: [SpeechMark] = [], seed: UInt64 = 0,
        skippedPhonemes: Set<Unicode.Scalar> = [], underrunCount: Int = 0
    ) {
        self.audio = audio
        self.sampleRate = sampleRate
        self.sampleCount = sampleCount ?? audio.count
        self.finishReason = finishReason
        self.timings = timings
        self.marks = marks
        self.seed = seed
        self.skippedPhonemes = skippedPhonemes
        self.underrunCount = underrunCount
    }

    /// Seconds of audio.
    public var audioDuration: Double { sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0 }
    /// The marks of sentences.
    public var sentences: [SpeechMark] { marks.filter { $0.kind == .sentence } }
    /// The marks of words.
    public var words: [SpeechMark] { marks.filter { $0.kind == .word } }
    /// The marks of phonemes.
    public var phonemes: [SpeechMark] { marks.filter { $0.kind == .phoneme } }
}

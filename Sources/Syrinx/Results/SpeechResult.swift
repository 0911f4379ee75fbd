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
    public var audio: [Float] = []
    /// Hertz.
    public var sampleRate = 0
    /// Samples that were made; `audio.count` where they were kept.
    public var sampleCount = 0
    public var finishReason = FinishReason.finished
    public var timings = SpeechTimings()
    /// When sentences, words and phonemes are said. Empty where the request was told not to keep the audio; the callback
    /// has had them then.
    public var marks: [SpeechMark] = []
    /// The seed that gives the same samples again.
    public var seed: UInt64 = 0
    /// Phonemes that the voice does not know and that were not spoken.
    public var skippedPhonemes: Set<Unicode.Scalar> = []
    /// Gaps that were heard within the audio because it was not made fast enough; 0 where nothing was played.
    public var underrunCount = 0

    /// Seconds of audio.
    public var audioDuration: Double { sampleRate > 0 ? Double(sampleCount) / Double(sampleRate) : 0 }
    public var sentences: [SpeechMark] { marks.filter { $0.kind == .sentence } }
    public var words: [SpeechMark] { marks.filter { $0.kind == .word } }
    public var phonemes: [SpeechMark] { marks.filter { $0.kind == .phoneme } }
}

import Playback

/// News of a request: a step has been made.
public struct SpeechProgress: Sendable {
    /// The samples that have become ready since the last news, mono, at `sampleRate`. Joined together they are the
    /// request's audio. May be empty.
    public var audio: [Float] = []
    /// Hertz.
    public var sampleRate = 0
    /// Seconds that the step took, from the last one's end to its own samples: in the source (reading, encoder, flow and
    /// decoder; what another step needs is counted where it is made) and in the assembler. Without the time of callbacks
    /// and of waiting for a player or reader. TTSKit's is that of the first step of a sentence alone; here every step
    /// has its own.
    public var stepTime = 0.0
    /// Index of the sentence that the step belongs to. Never falls.
    public var chunkIndex = 0
    /// Sentences that are complete. Never falls; the number of sentences with the last news.
    public var chunksCompleted = 0
    /// Steps made, this one included: 1, 2, 3, …
    public var stepsCompleted = 0
    /// Seconds of audio ready so far.
    public var audioDuration = 0.0
    /// Seconds of audio still to come: exact within a sentence, a guess from the length of the text beyond it.
    public var remainingDuration = 0.0
    /// Seconds of audio that will probably come next, with the next step or, where inferences are normalised, with the
    /// last one of the inference; 0 if that is not known.
    public var nextStepDuration = 0.0
    /// What playback goes by.
    var step = GenerationStep(stepTime: 0, remaining: 0)
    /// The part of the audio that is ready, by samples, 0 ... 1. Never falls; 1 with the last news and not before.
    public var fraction = 0.0
    /// What begins to be said in this step's sentence: given once, with the first step.
    public var marks: [SpeechMark] = []
    /// Phonemes met so far that the voice does not know; they are not spoken.
    public var skippedPhonemes: Set<Unicode.Scalar> = []
}

/// Called after every step, on the request's own thread. Return false to cancel the request, true or nil to go on.
/// It is not called again after it returned false or the request has ended.
public typealias SpeechCallback = @Sendable (SpeechProgress) -> Bool?

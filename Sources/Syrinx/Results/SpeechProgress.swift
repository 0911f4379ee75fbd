import Playback

/// News of a request: a step has been made.
public struct SpeechProgress: Sendable {
    /// The samples that have become ready since the last news, mono, at `sampleRate`. Joined together they are the
    /// request's audio. May be empty.
    public var audio: [Float]
    /// Hertz.
    public var sampleRate: Int
    /// Seconds that the step took, from the last one's end to its own samples: in the source (reading, encoder, flow and
    /// decoder; what another step needs is counted where it is made) and in the assembler. Without the time of callbacks
    /// and of waiting for a player or reader. TTSKit's is that of the first step of a sentence alone; here every step
    /// has its own.
    public var stepTime: Double
    /// Index of the sentence that the step belongs to. Never falls.
    public var chunkIndex: Int
    /// Sentences that are complete. Never falls; the number of sentences with the last news.
    public var chunksCompleted: Int
    /// Steps made, this one included: 1, 2, 3, …
    public var stepsCompleted: Int
    /// Seconds of audio ready so far.
    public var audioDuration: Double
    /// Seconds of audio still to come: exact within a sentence, a guess from the length of the text beyond it.
    public var remainingDuration: Double
    /// Seconds of audio that will probably come next, with the next step or, where inferences are normalised, with the
    /// last one of the inference; 0 if that is not known.
    public var nextStepDuration: Double
    /// What playback goes by.
    var step = GenerationStep(stepTime: 0, remaining: 0)
    /// The part of the audio that is ready, by samples, 0 ... 1. Never falls; 1 with the last news and not before.
    public var fraction: Double
    /// What is said in the inference that begins with this step: with the first step, or with the last where inferences
    /// are normalised. In the order of ``SpeechResult/marks``. Times are those of the whole audio, and may lie beyond
    /// `audioDuration`: the samples come with this and later news.
    ///
    /// A sentence that is cut into several inferences gets longer with each: its own mark, the one of kind `sentence`,
    /// then comes again, with the same index and start and the new duration, and takes the place of the one before.
    public var marks: [SpeechMark]
    /// Phonemes met so far that the voice does not know; they are not spoken.
    public var skippedPhonemes: Set<Unicode.Scalar>

    /// News made by hand, to try out what shows or keeps them. Nothing is checked or derived: each value is as given.
    public init(
        audio: [Float] = [], sampleRate: Int = 0, stepTime: Double = 0, chunkIndex: Int = 0, chunksCompleted: Int = 0,
        stepsCompleted: Int = 0, audioDuration: Double = 0, remainingDuration: Double = 0,
        nextStepDuration: Double = 0, fraction: Double = 0, marks: [SpeechMark] = [],
        skippedPhonemes: Set<Unicode.Scalar> = []
    ) {
        self.audio = audio
        self.sampleRate = sampleRate
        self.stepTime = stepTime
        self.chunkIndex = chunkIndex
        self.chunksCompleted = chunksCompleted
        self.stepsCompleted = stepsCompleted
        self.audioDuration = audioDuration
        self.remainingDuration = remainingDuration
        self.nextStepDuration = nextStepDuration
        self.fraction = fraction
        self.marks = marks
        self.skippedPhonemes = skippedPhonemes
    }
}

/// Called after every step, on the request's own thread. Return false to cancel the request, true or nil to go on.
/// It is not called again after it returned false or the request has ended.
public typealias SpeechCallback = @Sendable (SpeechProgress) -> Bool?

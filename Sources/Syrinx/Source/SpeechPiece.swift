/// What a ``SpeechReader`` gives at a time: for a voice, one step of its decoder.
public struct SpeechPiece: Sendable {
    /// Samples at the source's rate, -1 ... 1.
    public var samples: [Float]
    /// Index of the sentence that the samples belong to; sentences come in order.
    public var sentence: Int
    /// Whether an inference (what is normalised as one) ends with the piece.
    public var endsInference: Bool
    /// Whether the sentence ends with the piece.
    public var endsSentence: Bool
    /// Whether nothing follows.
    public var isLast: Bool
    /// Seconds of silence that the source itself wants behind the piece.
    public var pause: Double
    /// The sentence's text, words and phonemes as far as they are known, with times from the piece's first sample.
    /// They come with the first piece of what they describe.
    public var marks: [SpeechMark]
    /// Seconds of audio that follow this piece, at the source's rate: exact where it is known, else a guess, too much
    /// rather than too little. There is no value for "not known": 0, for a piece that is not the last, says that next to
    /// nothing follows. ``SpeechProgress/fraction`` is then as good as 1 from there on, and playback under `auto` starts
    /// at once, with an underrun to come where the rest is made slower than it is heard. Of the last piece it is not
    /// looked at.
    public var remaining: Double
    /// What is known of the pieces that follow.
    public var outlook: SpeechOutlook
    /// Samples of the recording that begins with this piece, as far as it is known; 0 for a later piece.
    public var recordingSamples: Int

    /// A piece in the middle of the only sentence, but for what is said otherwise. See ``remaining`` for leaving that out.
    public init(
        samples: [Float], sentence: Int = 0, endsInference: Bool = false, endsSentence: Bool = false,
        isLast: Bool = false, pause: Double = 0, marks: [SpeechMark] = [], remaining: Double = 0,
        outlook: SpeechOutlook = SpeechOutlook(), recordingSamples: Int = 0
    ) {
        self.samples = samples
        self.sentence = sentence
        self.endsInference = endsInference
        self.endsSentence = endsSentence
        self.isLast = isLast
        self.pause = pause
        self.marks = marks
        self.remaining = remaining
        self.outlook = outlook
        self.recordingSamples = recordingSamples
    }
}

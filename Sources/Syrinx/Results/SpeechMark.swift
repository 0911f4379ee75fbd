/// When something is said.
public struct SpeechMark: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable {
        case sentence, word, phoneme
    }

    public var kind: Kind
    /// A sentence's text; a word as it is written, or its phonemes where the words of text and speech do not match
    /// one to one ("in the" may be spoken as one); a phoneme with its modifiers.
    public var text: String
    /// Index of the sentence.
    public var sentence: Int
    /// Seconds from the start of the audio.
    public var start: Double
    /// Seconds.
    public var duration: Double

    public init(kind: Kind, text: String, sentence: Int, start: Double, duration: Double) {
        self.kind = kind
        self.text = text
        self.sentence = sentence
        self.start = start
        self.duration = duration
    }

    /// Seconds from the start of the audio.
    public var end: Double { start + duration }
}

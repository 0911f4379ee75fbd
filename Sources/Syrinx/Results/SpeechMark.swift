/// When something is said.
public struct SpeechMark: Sendable, Equatable {
    /// What is said.
    public enum Kind: String, Sendable, CaseIterable {
        case sentence, word, phoneme
    }

    /// What is said.
    public var kind: Kind
    /// A sentence's text; a word as it is written, or its phonemes where the words of text and speech do not match
    /// one to one ("in the" may be spoken as one); a phoneme with its modifiers.
    public var text: String
    /// Index of the sentence that it belongs to, or is.
    public var sentence: Int
    /// Seconds from the start of the audio.
    public var start: Double
    /// Seconds.
    public var duration: Double

    /// A mark made by hand, as a source gives them.
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

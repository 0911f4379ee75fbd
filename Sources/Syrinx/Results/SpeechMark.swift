/// When something is said.
public struct SpeechMark: Sendable, Equatable {
    /// How large a part of speech is.
    public enum Kind: String, Sendable, CaseIterable {
        /// A sentence, or the whole text where that is one inference.
        case sentence
        /// A word, or words spoken as one.
        case word
        /// A phoneme.
        case phoneme
    }

    /// A sentence, a word or a phoneme.
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

/// How a clause ended: what a voice hears of it, and whether the sentence ends with it.
///
/// Piper voices were trained on six endings, told apart by the exact value of espeak-ng's terminator; every other
/// ending, such as a paragraph or a full-width mark, adds no phoneme.
struct ClauseEnd: Sendable, Equatable {
    /// The phonemes that are appended to the clause.
    let phonemes: String
    let endsSentence: Bool

    static let fullStop = ClauseEnd(phonemes: ".", endsSentence: true)
    static let question = ClauseEnd(phonemes: "?", endsSentence: true)
    static let exclamation = ClauseEnd(phonemes: "!", endsSentence: true)
    static let comma = ClauseEnd(phonemes: ", ", endsSentence: false)
    static let colon = ClauseEnd(phonemes: ": ", endsSentence: false)
    static let semicolon = ClauseEnd(phonemes: "; ", endsSentence: false)
    /// The end of a sentence that a voice does not hear: a paragraph, a full-width full stop.
    static let silentSentence = ClauseEnd(phonemes: "", endsSentence: true)
    /// The end of a clause that a voice does not hear: an ellipsis, a clause cut for its length.
    static let silentClause = ClauseEnd(phonemes: "", endsSentence: false)

    /// The ending behind the value that `espeak_TextToPhonemesWithTerminator` gives.
    init(terminator: UInt32) {
        switch terminator & 0xFFFFF {
        case 0x80028: self = .fullStop
        case 0x82028: self = .question
        case 0x8302D: self = .exclamation
        case 0x41014: self = .comma
        case 0x4001E: self = .colon
        case 0x4101E: self = .semicolon
        default: self = terminator & 0x80000 != 0 ? .silentSentence : .silentClause
        }
    }

    private init(phonemes: String, endsSentence: Bool) {
        self.phonemes = phonemes
        self.endsSentence = endsSentence
    }
}

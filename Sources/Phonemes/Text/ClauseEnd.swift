/// How a clause ended: what a voice hears of it, and whether the sentence ends with it.
///
/// Piper voices were trained on six endings, told apart by the exact value of espeak-ng's terminator; every other
/// ending, such as a paragraph or a full-width mark, adds no phoneme.
struct ClauseEnd: Sendable, Equatable {
    /// The phonemes that are appended to the clause.
    let phonemes: String
    let endsSentence: Bool
    /// Whether there is a mark or the end of a paragraph; false where the clause was only cut for its length.
    let isPause: Bool

    static let fullStop = ClauseEnd(phonemes: ".", endsSentence: true)
    static let question = ClauseEnd(phonemes: "?", endsSentence: true)
    static let exclamation = ClauseEnd(phonemes: "!", endsSentence: true)
    static let comma = ClauseEnd(phonemes: ", ", endsSentence: false)
    static let colon = ClauseEnd(phonemes: ": ", endsSentence: false)
    static let semicolon = ClauseEnd(phonemes: "; ", endsSentence: false)
    /// The end of a sentence that a voice does not hear: a paragraph, a full-width full stop.
    static let silentSentence = ClauseEnd(phonemes: "", endsSentence: true)
    /// The end of a clause that a voice does not hear: an ellipsis, a full-width comma.
    static let silentClause = ClauseEnd(phonemes: "", endsSentence: false)
    /// No end at all: the clause was cut for its length, or the text ended.
    static let cut = ClauseEnd(phonemes: "", endsSentence: false, isPause: false)

    /// The ending behind the value that `espeak_TextToPhonemesWithTerminator` gives.
    init(terminator: UInt32) {
        switch terminator & 0xFFFFF {
        case 0x80028: self = .fullStop
        case 0x82028: self = .question
        case 0x8302D: self = .exclamation
        case 0x41014: self = .comma
        case 0x4001E: self = .colon
        case 0x4101E: self = .semicolon
        case 0x04000: self = .cut
        default: self = terminator & 0x80000 != 0 ? .silentSentence : .silentClause
        }
    }

    private init(phonemes: String, endsSentence: Bool, isPause: Bool = true) {
        self.phonemes = phonemes
        self.endsSentence = endsSentence
        self.isPause = isPause
    }
}

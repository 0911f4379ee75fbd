/// A stretch of text that espeak-ng read as one clause.
struct EspeakClause {
    /// espeak-ng's IPA as it gave it.
    var phonemes: String
    var end: ClauseEnd
    /// Where the clause and the white space after it end: a byte offset in the text.
    var upperBound: Int
}

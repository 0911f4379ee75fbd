/// Puts clauses, and blocks of raw phonemes between them, together to sentences.
struct SentenceAssembler: Sendable {
    /// Whether a space goes between clauses that no phoneme separates.
    let spacesClauses: Bool
    private var done: [PhonemeSentence] = []
    private var phonemes: [Unicode.Scalar] = []
    private var text = ""
    /// A space that goes before whatever comes next, unless one is there.
    private var owesSpace = false

    init(spacesClauses: Bool) {
        self.spacesClauses = spacesClauses
    }

    mutating func append(clause: [Unicode.Scalar], end: ClauseEnd, text: String) {
        append(clause)
        self.text += text
        close(end)
        if spacesClauses, !clause.isEmpty, end == .silentClause { owesSpace = true }
    }

    /// A block joins the sentence around it.
    mutating func append(block: String) {
        append(block.canonicallyDecomposedScalars)
        text += block
        owesSpace = false
    }

    /// White space between a text and a block.
    mutating func append(white scalars: [Unicode.Scalar]) {
        if scalars.count(where: { $0 == "\n" }) >= 2 {
            endSentence()
        } else {
            owesSpace = !scalars.isEmpty
        }
    }

    /// Takes the white space and the punctuation at the start of the text after a block as the block's own.
    ///
    /// - Returns: how many scalars were used up.
    mutating func appendMarks(startOf scalars: ArraySlice<Unicode.Scalar>, isFinal: Bool) -> Int {
        append(white: Array(scalars.prefix { $0.isEspeakSpace }))
        let closing = scalars.prefix { $0.isEspeakSpace || Self.closesQuotation($0) }
        let run = scalars[closing.endIndex...].prefix { ClauseMark($0) != nil }
        guard let mark = ClauseMark(run: run) else { return 0 }

        let after = scalars[run.endIndex...]
        let white = after.prefix { $0.isEspeakSpace }
        let follows = after.dropFirst(white.count).first
        let isAtEnd = follows == nil && isFinal
        let isApart =
            !white.isEmpty || isAtEnd || follows.map { Self.closesQuotation($0) || "([{\"".unicodeScalars.contains($0) } == true
        guard !mark.needsSpace || isApart else { return 0 }

        let newlines = isAtEnd ? 0 : white.count { $0 == "\n" }
        if newlines >= 2 {
            close(.silentSentence)
        } else if run.first == ".", !white.isEmpty, newlines == 0, follows?.properties.isLowercase == true {
            owesSpace = true
        } else {
            owesSpace = false
            text += PhonemeSentence(phonemes: Array(closing + run)).string
            close(mark.end)
            if mark.end == .silentClause { owesSpace = true }
        }
        return run.endIndex - scalars.startIndex
    }

    mutating func endSentence() {
        close(.silentSentence)
    }

    /// The sentences that are complete; those with nothing to say are left out.
    mutating func takeSentences() -> [PhonemeSentence] {
        defer { done = [] }
        return done.filter(\.isSpeakable)
    }

    private mutating func append(_ more: [Unicode.Scalar]) {
        guard let first = more.first else { return }
        if owesSpace, let last = phonemes.last, last != " ", first != " " { phonemes.append(" ") }
        owesSpace = false
        phonemes += more
    }

    private mutating func close(_ end: ClauseEnd) {
        phonemes += end.phonemes.unicodeScalars
        guard end.endsSentence else { return }
        done.append(PhonemeSentence(text: text.trimmingEspeakSpace, phonemes: phonemes))
        phonemes = []
        text = ""
        owesSpace = false
    }

    private static func closesQuotation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "\"", "'", ")", "]", "}", "\u{BB}", "\u{2019}", "\u{201D}": true
        default: false
        }
    }
}

extension String {
    /// Without the white space at both ends.
    var trimmingEspeakSpace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.isEspeakSpace }),
            let last = scalars.lastIndex(where: { !$0.isEspeakSpace })
        else { return "" }
        return String(scalars[first...last])
    }
}

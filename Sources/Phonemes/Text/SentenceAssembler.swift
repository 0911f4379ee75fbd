/// Puts clauses, and blocks of raw phonemes between them, together to sentences.
struct SentenceAssembler: Sendable {
    /// What goes between clauses that no phoneme separates.
    let joint: ClauseJoint
    private var done: [PhonemeSentence] = []
    private var phonemes: [Unicode.Scalar] = []
    private var text = ""
    /// What goes before the next phonemes of the sentence: "", " " or ", ".
    private var owed = ""

    init(joint: ClauseJoint) {
        self.joint = joint
    }

    mutating func append(clause: [Unicode.Scalar], end: ClauseEnd, text: String) {
        append(clause)
        self.text += text
        close(end)
        if !clause.isEmpty { owe(after: end) }
    }

    /// A block joins the sentence around it.
    mutating func append(block: String) {
        append(block.canonicallyDecomposedScalars)
        text += block
    }

    /// The end of a text before a block, and the white space between the two.
    mutating func endText(white: [Unicode.Scalar]) {
        // A text that merely ended was not cut: "un[[ˈɪŋ]]" is one word.
        if owed == " " { owed = "" }
        if !white.isEmpty { text += " " }
        append(white: white)
    }

    private mutating func append(white: [Unicode.Scalar]) {
        if white.count(where: { $0 == "\n" }) >= 2 {
            endSentence()
        } else if !white.isEmpty, owed.isEmpty {
            owed = " "
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
            !white.isEmpty || isAtEnd
            || follows.map { Self.closesQuotation($0) || "([{\"".unicodeScalars.contains($0) } == true
        guard !mark.needsSpace || isApart else { return 0 }

        let newlines = isAtEnd ? 0 : white.count { $0 == "\n" }
        if newlines >= 2 {
            close(.silentSentence)
        } else if run.first == ".", !white.isEmpty, newlines == 0, follows?.properties.isLowercase == true {
            owed = " "
        } else {
            owed = ""
            text += PhonemeSentence(phonemes: Array(closing + run)).string
            close(mark.end)
            owe(after: mark.end)
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
        if let last = phonemes.last, last != " ", first != " " { phonemes += owed.unicodeScalars }
        owed = ""
        phonemes += more
    }

    private mutating func owe(after end: ClauseEnd) {
        guard end == .silentClause || end == .cut else { return }
        switch joint {
        case .space: owed = " "
        case .comma: owed = end.isPause ? ", " : " "
        case .nothing: owed = ""
        }
    }

    private mutating func close(_ end: ClauseEnd) {
        phonemes += end.phonemes.unicodeScalars
        guard end.endsSentence else { return }
        done.append(PhonemeSentence(text: text.trimmingEspeakSpace, phonemes: phonemes))
        phonemes = []
        text = ""
        owed = ""
    }

    static func closesQuotation(_ scalar: Unicode.Scalar) -> Bool {
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

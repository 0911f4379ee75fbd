#if EspeakNG
    extension ClauseEnd {
        /// Why espeak-ng ended a clause, told from the text alone, for versions that do not say.
        ///
        /// `espeak_TextToPhonemes` moves the text pointer to one character past the white space that follows the
        /// mark, so what was read shows the mark. The rules are those of the library's reader.
        ///
        /// - Parameters:
        ///   - clause: the text up to the pointer, from the character that the clause before had held back.
        ///   - isLast: whether the library said that the text has ended; else the last character of `clause` is the
        ///     one that it now holds back.
        init(clause: [Unicode.Scalar], isLast: Bool) {
            var read = clause[...]
            let heldBack = isLast ? nil : read.popLast()

            var newlines = 0
            let unspaced = read.count
            while let last = read.last, last.isEspeakSpace {
                if last == "\n" { newlines += 1 }
                read.removeLast()
            }
            let spaceFollows = read.count < unspaced
            if newlines >= 2 {
                self = .silentSentence
                return
            }

            let words = read.prefix(upTo: read.lastIndex { ClauseMark($0) == nil }.map { $0 + 1 } ?? 0)
            guard let mark = ClauseMark(run: read[words.endIndex...]) else {
                self = .cut
                return
            }
            let first = read[words.endIndex]
            // No letter or digit before the mark: it ends nothing, unless its line ends.
            let endsNothing = newlines == 0 && !words.contains(where: \.isLetterOrDigit)
            // An abbreviation. The clause was cut for its length here.
            let isAbbreviation =
                first == "." && mark != .ellipsis && spaceFollows && newlines == 0
                && heldBack?.properties.isLowercase == true
            // A mark inside a word: cut for its length, too.
            let isInWord =
                mark.needsSpace && !spaceFollows && !isLast && heldBack.map { !$0.isEspeakBracket } == true
            self = endsNothing || isAbbreviation || isInWord ? .cut : mark.end
        }
    }

    extension Unicode.Scalar {
        /// The characters after which a mark needs no white space.
        var isEspeakBracket: Bool {
            switch self {
            case "(", ")", "[", "]", "{", "}", "<", ">", "\"", "'", "`", "?", "\u{AB}", "\u{BB}", "\u{300A}",
                "\u{300B}":
                true
            default:
                (0x2014...0x201F).contains(value)
            }
        }

        var isLetterOrDigit: Bool {
            switch properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                .decimalNumber,
                .letterNumber, .otherNumber:
                true
            default: false
            }
        }
    }
#endif

#if EspeakNG
    /// Reads a text through espeak-ng, a few sentences at a time, and sets its blocks of raw phonemes in place.
    struct EspeakSentenceSource: SentenceSource {
        private let phonemizer: EspeakPhonemizer
        private let spelling: EspeakSpelling
        private let segments: [SpeechText.Segment]
        private var segment = 0
        /// The text of the segment that is being read, without the white space at its end; nil before its start.
        private var bytes: [UInt8]?
        private var offset = 0
        private var assembler: SentenceAssembler

        init(_ phonemizer: EspeakPhonemizer, text: SpeechText) {
            self.phonemizer = phonemizer
            spelling = EspeakSpelling(voice: phonemizer.voice, version: phonemizer.library.version)
            segments = text.segments
            assembler = SentenceAssembler(spacesClauses: phonemizer.clauseJoint == .space)
        }

        mutating func read() throws(PhonemeError) -> [PhonemeSentence]? {
            while segment < segments.count {
                switch segments[segment] {
                case .phonemes(let phonemes):
                    assembler.append(block: phonemes)
                    segment += 1
                case .text(let text):
                    try read(text)
                }
                let sentences = assembler.takeSentences()
                if !sentences.isEmpty { return sentences }
            }
            assembler.endSentence()
            let sentences = assembler.takeSentences()
            return sentences.isEmpty ? nil : sentences
        }

        private mutating func read(_ text: String) throws(PhonemeError) {
            let bytes = self.bytes ?? start(text)
            self.bytes = bytes
            if offset < bytes.count {
                let clauses = try clauses(of: bytes)
                for clause in clauses {
                    assembler.append(
                        clause: spelling.phonemes(of: clause.phonemes), end: clause.end,
                        text: String(decoding: bytes[offset..<clause.upperBound], as: UTF8.self))
                    offset = clause.upperBound
                }
            }
            if offset >= bytes.count {
                if segment + 1 < segments.count { assembler.append(white: text.trailingEspeakSpace) }
                self.bytes = nil
                segment += 1
            }
        }

        /// Begins a segment; a block before it takes the punctuation at its start, which espeak-ng would pass over
        /// for want of a word.
        private mutating func start(_ text: String) -> [UInt8] {
            var scalars = Array(text.unicodeScalars)[...]
            if segment > 0 {
                let isFinal = segment + 1 == segments.count
                scalars = scalars.dropFirst(assembler.appendMarks(startOf: scalars, isFinal: isFinal))
            }
            while scalars.last?.isEspeakSpace == true { scalars.removeLast() }
            offset = 0
            return Array(PhonemeSentence(phonemes: Array(scalars)).string.utf8)
        }

        private func clauses(of bytes: [UInt8]) throws(PhonemeError) -> [EspeakClause] {
            let phonemizer = phonemizer
            let start = offset
            return try phonemizer.library.withFunctions { functions throws(PhonemeError) in
                try EspeakSession.setVoice(
                    phonemizer.voice, of: functions, version: phonemizer.library.version)
                return EspeakSession(functions: functions, usesTerminators: phonemizer.usesTerminators)
                    .clauses(of: bytes, from: start)
            }
        }
    }

    extension String {
        fileprivate var trailingEspeakSpace: [Unicode.Scalar] {
            Array(unicodeScalars.reversed().prefix { $0.isEspeakSpace })
        }
    }
#endif

/// Reads a text through espeak-ng, a few sentences at a time, and sets its blocks of raw phonemes in place.
struct EspeakSentenceSource: SentenceSource {
    private let phonemizer: EspeakPhonemizer
    private let segments: [SpeechText.Segment]
    private var segment = 0
    /// The text of the segment that is being read, without the white space at its end; nil before its start.
    private var bytes: [UInt8]?
    private var offset = 0
    /// How far the text has gone into sentences: `offset`, or past the closing quotes that espeak-ng counts to
    /// the next clause.
    private var textOffset = 0
    private var assembler: SentenceAssembler

    init(_ phonemizer: EspeakPhonemizer, text: SpeechText) {
        self.phonemizer = phonemizer
        segments = text.segments
        assembler = SentenceAssembler(joint: phonemizer.clauseJoint)
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
            let (clauses, spelling) = try phonemizer.clauses(of: bytes, from: offset)
            for clause in clauses {
                let textEnd = Self.withClosingQuotes(after: clause.upperBound, in: bytes)
                let text = String(decoding: bytes[textOffset..<max(textOffset, textEnd)], as: UTF8.self)
                assembler.append(
                    clause: spelling.phonemes(of: clause.phonemes, text: text), end: clause.end,
                    text: text)
                offset = clause.upperBound
                textOffset = max(textOffset, textEnd)
            }
        }
        if offset >= bytes.count {
            if segment + 1 < segments.count { assembler.endText(white: text.trailingEspeakSpace) }
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
        textOffset = 0
        return Array(PhonemeSentence(phonemes: Array(scalars)).string.utf8)
    }
}

extension EspeakSentenceSource {
    /// `end`, or past the closing quotes and brackets that stand right there.
    private static func withClosingQuotes(after end: Int, in bytes: [UInt8]) -> Int {
        guard end > 0, end < bytes.count, bytes[end - 1] > 0x20 else { return end }
        let quotes = String(decoding: bytes[end..<min(bytes.count, end + 12)], as: UTF8.self)
            .unicodeScalars
            .prefix(while: SentenceAssembler.closesQuotation)
        return end + quotes.reduce(0) { $0 + UTF8.width($1) }
    }
}

extension String {
    fileprivate var trailingEspeakSpace: [Unicode.Scalar] {
        Array(unicodeScalars.reversed().prefix { $0.isEspeakSpace })
    }
}

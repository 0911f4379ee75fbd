/// For voices of phoneme type "text", whose phonemes are the characters themselves: the text is case-folded and
/// decomposed (NFD), and each Unicode scalar is a phoneme. The whole text is one sentence; the voice's
/// `SentenceCutter` cuts what is too long for one inference.
public struct TextPhonemizer: Phonemizer {
    public init() {}

    public func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence] {
        let cleaned = SpeechText(text, phonemeBlocks: false).string.trimmingEspeakSpace
        let sentence = PhonemeSentence(text: cleaned, phonemes: cleaned.caseFolded)
        return sentence.isSpeakable ? [sentence] : []
    }
}

/// Takes text that is phonemes already, such as IPA made by another program: each line is a sentence, decomposed
/// (NFD) and otherwise as it stands, punctuation included.
public struct LiteralPhonemizer: Phonemizer {
    public init() {}

    public func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence] {
        SpeechText(text, phonemeBlocks: false).string
            .split(whereSeparator: \.isNewline)
            .map { line in
                let line = String(line).trimmingEspeakSpace
                return PhonemeSentence(text: line, phonemes: line)
            }
            .filter(\.isSpeakable)
    }
}

extension SpeechText {
    /// The text of all segments.
    fileprivate var string: String {
        segments.reduce(into: "") { string, segment in
            switch segment {
            case .text(let text): string += text
            case .phonemes(let phonemes): string += phonemes
            }
        }
    }
}

/// One sentence of phonemes, as a phonemizer gives it.
///
/// `phonemes` are Unicode scalars in canonical decomposition (NFD), as Piper voices were trained on them:
/// stress marks, length marks, spaces between words and the punctuation at the ends of clauses each count as
/// a phoneme of their own.
public struct PhonemeSentence: Sendable, Equatable {
    /// The part of the text that the phonemes were made from, in canonical composition (NFC), without the white
    /// space around it. Empty where the phonemizer cannot tell.
    public var text: String

    /// Phonemes in spoken order.
    public var phonemes: [Unicode.Scalar]

    public init(text: String = "", phonemes: [Unicode.Scalar]) {
        self.text = text
        self.phonemes = phonemes
    }

    /// A sentence of phonemes written as a string; the string is decomposed (NFD).
    public init(text: String = "", phonemes: String) {
        self.init(text: text, phonemes: phonemes.canonicallyDecomposedScalars)
    }

    /// The phonemes as text.
    public var string: String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: phonemes)
        return String(view)
    }

    /// The words: ranges of indices into `phonemes`, split at spaces, the spaces themselves left out. What a
    /// phonemizer speaks in one go ("in the" as ɪnðə) is one word here.
    public var words: [Range<Int>] {
        var words: [Range<Int>] = []
        var start = 0
        for index in 0...phonemes.count where index == phonemes.count || phonemes[index] == " " {
            if index > start { words.append(start..<index) }
            start = index + 1
        }
        return words
    }

    /// False for a sentence with nothing to say: empty, or only spaces and punctuation.
    public var isSpeakable: Bool { phonemes.contains(where: \.isSpeakable) }
}

extension Unicode.Scalar {
    /// Whether a phoneme by itself makes sound: a letter, a digit, a symbol; no space, punctuation or stress mark.
    var isSpeakable: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
            .letterNumber,
            .otherNumber, .mathSymbol, .currencySymbol, .otherSymbol, .privateUse:
            true
        default: false
        }
    }
}

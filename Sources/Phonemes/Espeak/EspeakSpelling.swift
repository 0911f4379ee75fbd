/// From espeak-ng's IPA to the phonemes that voices know.
struct EspeakSpelling: Sendable {
    private let mapsCToK: Bool
    private let hasSpuriousPalatalisation: Bool
    private let stressesFinalOne: Bool

    init(voice: String, version: String) {
        // Brazilian voices were trained with this one exchange.
        mapsCToK = voice == "pt-br"
        hasSpuriousPalatalisation = Self.isInRegressionWindow(version)
        stressesFinalOne = voice.lowercased().hasPrefix("en") && version.hasPrefix("1.51")
    }

    /// Decomposes (NFD), removes flags of a change of language, "(en)" and "(fr)", and mends what the version
    /// is known to get wrong.
    ///
    /// - Parameter text: what the clause was read from.
    func phonemes(of ipa: String, text: String) -> [Unicode.Scalar] {
        var phonemes: [Unicode.Scalar] = []
        var isInFlag = false
        for scalar in ipa.canonicallyDecomposedScalars {
            switch scalar {
            case "(": isInFlag = true
            case ")" where isInFlag: isInFlag = false
            case _ where isInFlag: break
            case "c" where mapsCToK: phonemes.append("k")
            case "ʲ" where hasSpuriousPalatalisation && Self.endsInI(phonemes): break
            default: phonemes.append(scalar)
            }
        }
        if stressesFinalOne { Self.weakenFinalOne(&phonemes, text) }
        return phonemes
    }

    /// The dictionary of 1.51 stresses "one" at the end of a clause, "this is one."; that which voices were
    /// trained with, and later versions, give it secondary stress there. Of 104 000 English words compared, no
    /// other but three place names differs.
    private static func weakenFinalOne(_ phonemes: inout [Unicode.Scalar], _ text: String) {
        let start = (phonemes.lastIndex(of: " ") ?? -1) + 1
        let word = phonemes[start...]
        guard word.count == 4 || word.count == 5 && word.last == "z", word.starts(with: ["w", "ˈ"]),
            word[start + 3] == "n"
        else { return }
        let isPartOfWord: (Unicode.Scalar) -> Bool = {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "'"
                || $0 == "\u{2019}"
        }
        let scalars = text.unicodeScalars.reversed().drop {
            !($0.properties.isAlphabetic || $0.properties.numericType != nil)
        }
        let letters = scalars.prefix(while: isPartOfWord).reversed().drop {
            $0 == "'" || $0 == "\u{2019}"
        }
        let last = String(String.UnicodeScalarView(letters)).lowercased()
        guard ["one", "ones", "one's", "one\u{2019}s"].contains(last) else { return }
        phonemes[start + 1] = "ˌ"
    }

    private static func endsInI(_ phonemes: [Unicode.Scalar]) -> Bool {
        let vowel = phonemes.last == "ː" ? phonemes.dropLast().last : phonemes.last
        return vowel == "i" || vowel == "ɪ"
    }

    /// Whether a version may write "ʲ" after the vowel of "happy".
    ///
    /// Upstream does so from December 2024, right after 1.52.0 (espeak-ng pull request 2082), to July 2026
    /// (pull request 2457). Builds of that time call themselves 1.52.0.1 or 1.53.0. A later 1.53 is mended by
    /// itself, and the repair changes nothing there: palatalisation belongs to consonants.
    static func isInRegressionWindow(_ version: String) -> Bool {
        version.hasPrefix("1.52.0.") || version.hasPrefix("1.52.0-") || version.hasPrefix("1.53")
    }
}

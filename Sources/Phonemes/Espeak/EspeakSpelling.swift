#if EspeakNG
    /// From espeak-ng's IPA to the phonemes that voices know.
    struct EspeakSpelling: Sendable {
        private let mapsCToK: Bool
        private let hasSpuriousPalatalisation: Bool

        init(voice: String, version: String) {
            // Brazilian voices were trained with this one exchange.
            mapsCToK = voice == "pt-br"
            hasSpuriousPalatalisation = Self.isInRegressionWindow(version)
        }

        /// Decomposes (NFD), removes flags of a change of language, "(en)" and "(fr)", and mends what the version
        /// is known to get wrong.
        func phonemes(of ipa: String) -> [Unicode.Scalar] {
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
            return phonemes
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
#endif

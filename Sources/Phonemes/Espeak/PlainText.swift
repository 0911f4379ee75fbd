#if EspeakNG
    /// What espeak-ng is known to read without harm, per language: Latin letters, the language's own script, digits
    /// and common punctuation. Everything else is read in a child process.
    struct PlainText: Sendable {
        private let script: ClosedRange<UInt32>?
        private let isKnownLanguage: Bool

        init(voice: String) {
            let language = voice.lowercased().prefix { $0 != "-" && $0 != "+" && $0 != "_" }
            switch language {
            case "ru", "uk", "sr", "kk": script = 0x0400...0x052F
            case "el": script = 0x0370...0x03FF
            case "ar", "fa": script = 0x0600...0x06FF
            case "he": script = 0x0590...0x05FF
            case "ka": script = 0x10A0...0x10FF
            case "te": script = 0x0C00...0x0C7F
            case "cmn", "ja": script = 0x3000...0x9FFF
            default: script = nil
            }
            isKnownLanguage =
                script != nil
                || [
                    "en", "de", "fr", "es", "it", "pt", "nl", "pl", "cs", "sv", "fi", "tr", "hu", "ro", "sw",
                    "sk", "sl",
                    "nb", "ca", "cy", "eu", "is", "id", "lb", "lv",
                ].contains(language)
        }

        func contains(_ text: some Sequence<UInt8>) -> Bool {
            guard isKnownLanguage else { return false }
            var decoder = UTF8()
            var bytes = text.makeIterator()
            while true {
                switch decoder.decode(&bytes) {
                case .scalarValue(let scalar): if !contains(scalar) { return false }
                case .emptyInput: return true
                case .error: return false
                }
            }
        }

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar.value {
            case ..<0x250, 0x1E00...0x1EFF, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20BF: true
            default: script?.contains(scalar.value) == true
            }
        }
    }
#endif

extension Voice {
    /// The language that the voice speaks, as "en_US"; nil if it does not say.
    public var language: String? {
        configuration.language.code ?? configuration.espeakVoice
    }

    /// - Parameter language: "en", "en-US" or "en_US". A bare language fits any region of it.
    /// - Throws: `SpeechError.wrongLanguage` if the voice speaks another one, `.invalidOption` for what is no code.
    func check(language: String) throws(SpeechError) {
        guard let own = self.language else { return }
        let wanted = Self.parts(language)
        let spoken = Self.parts(own)
        // ISO 639 has codes of two and three letters. "english" is none, whatever the voice speaks.
        guard (2...3).contains(wanted.first?.count ?? 0) else {
            let example = spoken.first.map { $0 == own ? own : "\($0) or \(own)" } ?? own
            throw .invalidOption(
                name: "language", value: "'\(language)'",
                expected: "a code such as \(example), which the voice \(name) speaks")
        }
        guard let first = wanted.first, first == spoken.first,
            wanted.count < 2 || spoken.count < 2 || wanted[1] == spoken[1]
        else {
            throw .wrongLanguage(asked: language, voice: name, language: own)
        }
    }

    private static func parts(_ code: String) -> [String] {
        code.lowercased().split { $0 == "-" || $0 == "_" }.map(String.init)
    }
}

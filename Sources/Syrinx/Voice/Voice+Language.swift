extension Voice {
    /// The language that the voice speaks, as "en_US"; nil if it does not say.
    public var language: String? {
        configuration.language.code ?? configuration.espeakVoice
    }

    /// - Parameter language: "en", "en-US" or "en_US". A bare language fits any region of it.
    /// - Throws: `SpeechError.wrongLanguage` if the voice speaks another one.
    func check(language: String) throws(SpeechError) {
        guard let own = self.language else { return }
        let wanted = Self.parts(language)
        let spoken = Self.parts(own)
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

/// What stands between two clauses when the first ended with a mark that adds no phoneme, such as "…", "¿" or a
/// full-width comma.
public enum ClauseJoint: Sendable {
    /// A space: "Hello… there" keeps its two words apart.
    case space
    /// A comma and a space: voices make a pause there.
    case comma
    /// Nothing, as in Piper: "Hello… there" comes out as one word.
    case nothing
}

/// Text to phonemes by espeak-ng, in the way that Piper voices were trained on.
///
/// Sentences end where espeak-ng's own reader ends them: "Dr. Smith" is two. The phonemes are its IPA with
/// stress and length marks, in canonical decomposition, without the flags of a change of language such as
/// "(en)", followed by the punctuation that ended the clause. `[[ … ]]` holds raw phonemes that are taken as
/// they are, inside the sentence around them; a `[[` that is never closed is text.
///
/// The library is opened when the first text is read. Phonemes alone need none, and can be had in a build without
/// the package trait EspeakNG too; text then throws `PhonemeError.espeakNotBuilt`.
///
/// May be used from many tasks: the library is entered by one at a time, for a few sentences each.
public struct EspeakPhonemizer: Phonemizer {
    /// espeak-ng's name of the voice, such as "en-us".
    public let voice: String
    let clauseJoint: ClauseJoint
    let phonemeBlocks: Bool
    #if EspeakNG
        /// Nil for that of the process.
        let library: EspeakLibrary?
        let usesTerminators: Bool
    #endif

    /// - Parameters:
    ///   - voice: a voice of espeak-ng: "en-us", "de", "pt-br". Names that would be taken as a path or start
    ///     another program are refused, as voice configurations come from anywhere.
    ///   - clauseJoint: what separates clauses that no phoneme separates.
    ///   - phonemeBlocks: whether `[[ … ]]` is raw phonemes or ordinary text.
    /// - Throws: `PhonemeError.invalidEspeakVoice`. That the library or its data is missing, or has no such voice,
    ///   is found when it reads the first text.
    public init(voice: String, clauseJoint: ClauseJoint = .space, phonemeBlocks: Bool = true) throws(PhonemeError) {
        try Self.checkName(voice)
        self.voice = voice
        self.clauseJoint = clauseJoint
        self.phonemeBlocks = phonemeBlocks
        #if EspeakNG
            library = nil
            usesTerminators = true
        #endif
    }

    #if EspeakNG
        /// - Parameter usesTerminators: false finds the ends of clauses from the text alone, as for espeak-ng 1.51.
        init(
            voice: String, clauseJoint: ClauseJoint = .space, phonemeBlocks: Bool = true,
            library: EspeakLibrary, usesTerminators: Bool = true
        ) throws(PhonemeError) {
            try Self.checkName(voice)
            self.voice = voice
            self.clauseJoint = clauseJoint
            self.phonemeBlocks = phonemeBlocks
            self.library = library
            self.usesTerminators = usesTerminators
        }
    #endif

    /// The version that the library reports, such as "1.51"; phonemes differ between versions. Opens the library.
    public func libraryVersion() throws(PhonemeError) -> String {
        #if EspeakNG
            try openLibrary().version
        #else
            throw .espeakNotBuilt
        #endif
    }

    public func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence] {
        var reader = try reader(of: text)
        return try reader.rest()
    }

    /// Opens the library and has it read the voice's data: some milliseconds.
    public func prepare() {
        #if EspeakNG
            try? openLibrary().prepare(voice)
        #endif
    }

    public func reader(of text: String) throws(PhonemeError) -> SentenceReader {
        SentenceReader(EspeakSentenceSource(self, text: SpeechText(text, phonemeBlocks: phonemeBlocks)))
    }
}

extension EspeakPhonemizer {
    #if EspeakNG
        private func openLibrary() throws(PhonemeError) -> EspeakLibrary {
            if let library { return library }
            return try .shared()
        }
    #endif

    /// Some clauses of a text, from the byte `start` on, and how they are spelled.
    func clauses(
        of bytes: [UInt8], from start: Int
    ) throws(PhonemeError) -> (clauses: [EspeakClause], spelling: EspeakSpelling) {
        #if EspeakNG
            let library = try openLibrary()
            let clauses = try library.withVoice(voice) { functions in
                EspeakSession(functions: functions, usesTerminators: usesTerminators && library.hasTerminators)
                    .clauses(of: bytes, from: start, plain: PlainText(voice: voice))
            }
            return (clauses, EspeakSpelling(voice: voice, version: library.version))
        #else
            throw .espeakNotBuilt
        #endif
    }

    /// The library copies names into buffers of 40 bytes and opens files by them.
    private static func checkName(_ name: String) throws(PhonemeError) {
        func refuse(_ reason: String) -> PhonemeError { .invalidEspeakVoice(name: name, reason: reason) }
        if name.isEmpty { throw refuse("is empty") }
        if name.utf8.count > 39 { throw refuse("has more than 39 bytes") }
        if name.contains("..") { throw refuse("contains \"..\"") }
        for scalar in name.unicodeScalars
        where
            !(scalar.properties.isAlphabetic
            || scalar.isASCII && "0123456789-_+. ()'".unicodeScalars.contains(scalar))
        {
            throw refuse(
                "contains \(scalar.properties.generalCategory == .control ? "a control character" : "\"\(scalar)\"")"
            )
        }
        // MBROLA voices run another program, which prints when it is missing.
        if name.lowercased().hasPrefix("mb-") {
            throw refuse("is an MBROLA voice, which has no phonemes")
        }
    }
}

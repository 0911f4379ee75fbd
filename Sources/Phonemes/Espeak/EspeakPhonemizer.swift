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

#if EspeakNG
    /// Text to phonemes by espeak-ng, in the way that Piper voices were trained on.
    ///
    /// Sentences end where espeak-ng's own reader ends them: "Dr. Smith" is two. The phonemes are its IPA with
    /// stress and length marks, in canonical decomposition, without the flags of a change of language such as
    /// "(en)", followed by the punctuation that ended the clause. `[[ … ]]` holds raw phonemes that are taken as
    /// they are, inside the sentence around them.
    ///
    /// May be used from many tasks: the library is entered by one at a time, for a few sentences each.
    public struct EspeakPhonemizer: Phonemizer {
        /// espeak-ng's name of the voice, such as "en-us".
        public let voice: String
        let clauseJoint: ClauseJoint
        let phonemeBlocks: Bool
        let library: EspeakLibrary
        let usesTerminators: Bool

        /// - Parameters:
        ///   - voice: a voice of espeak-ng: "en-us", "de", "pt-br". Names that would be taken as a path or start
        ///     another program are refused, as voice configurations come from anywhere.
        ///   - clauseJoint: what separates clauses that no phoneme separates.
        ///   - phonemeBlocks: whether `[[ … ]]` is raw phonemes or ordinary text.
        /// - Throws: when the library or its data is missing, or it has no such voice.
        public init(
            voice: String, clauseJoint: ClauseJoint = .space, phonemeBlocks: Bool = true
        ) throws(PhonemeError) {
            try Self.checkName(voice)
            try self.init(
                voice: voice, clauseJoint: clauseJoint, phonemeBlocks: phonemeBlocks, library: .shared())
        }

        /// - Parameter usesTerminators: false finds the ends of clauses from the text alone, as for espeak-ng 1.51.
        init(
            voice: String, clauseJoint: ClauseJoint = .space, phonemeBlocks: Bool = true,
            library: EspeakLibrary,
            usesTerminators: Bool = true
        ) throws(PhonemeError) {
            try Self.checkName(voice)
            self.voice = voice
            self.clauseJoint = clauseJoint
            self.phonemeBlocks = phonemeBlocks
            self.library = library
            self.usesTerminators = usesTerminators && library.hasTerminators
            try library.withFunctions { functions throws(PhonemeError) in
                try EspeakSession.setVoice(voice, of: functions, version: library.version)
            }
        }

        /// The version that the library reports, such as "1.51"; phonemes differ between versions.
        public var libraryVersion: String { library.version }

        public func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence] {
            var reader = try reader(of: text)
            return try reader.rest()
        }

        public func reader(of text: String) throws(PhonemeError) -> SentenceReader {
            SentenceReader(
                EspeakSentenceSource(self, text: try SpeechText(text, phonemeBlocks: phonemeBlocks)))
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
#else
    /// Text to phonemes by espeak-ng. This build has no espeak-ng: making one throws.
    public struct EspeakPhonemizer: Phonemizer {
        public let voice: String

        /// Throws `PhonemeError.espeakNotBuilt`.
        public init(
            voice: String, clauseJoint: ClauseJoint = .space, phonemeBlocks: Bool = true
        ) throws(PhonemeError) {
            throw .espeakNotBuilt
        }

        public var libraryVersion: String { "" }

        public func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence] {
            throw .espeakNotBuilt
        }
    }
#endif

/// From text to what a voice's model takes: sentences, cut into inferences, in ids.
///
/// Puts a phonemizer, a map of ids and a cutter together. One per voice; may be used from many tasks.
public struct VoiceTextReader: Sendable {
    /// A sentence and its inferences.
    public struct Sentence: Sendable, Equatable {
        public var sentence: PhonemeSentence
        /// At least one.
        public var parts: [SentenceCutter.Part]
        /// The phonemes that the voice does not know, which are not spoken.
        public var skipped: Set<Unicode.Scalar> {
            parts.reduce(into: []) { $0.formUnion($1.encoding.skipped) }
        }
    }

    public let phonemizer: any Phonemizer
    public let cutter: SentenceCutter

    public init(phonemizer: any Phonemizer, cutter: SentenceCutter) {
        self.phonemizer = phonemizer
        self.cutter = cutter
    }

    /// - Parameters:
    ///   - phonemizer: nil for the one that the voice was trained with.
    ///   - symbolCount: the rows of the model's embedding, where they are known to be fewer than the configuration
    ///     says.
    public init(
        _ voice: VoiceConfiguration, phonemizer: (any Phonemizer)? = nil, symbolCount: Int? = nil,
        maximumIDs: Int = SentenceCutter.defaultMaximumIDs
    ) throws(PhonemeError) {
        var voice = voice
        voice.symbolCount = min(voice.symbolCount, symbolCount ?? .max)
        self.phonemizer = if let phonemizer { phonemizer } else { try voice.phonemizer() }
        cutter = SentenceCutter(
            map: try voice.phonemeIDMap(), maximumIDs: maximumIDs, silences: voice.phonemeSilences)
    }

    /// The sentences of a text one by one, so that the first can be spoken before the last is read.
    public func read(_ text: String) throws(PhonemeError) -> Reading {
        Reading(sentences: try phonemizer.reader(of: text), cutter: cutter)
    }

    /// The sentences of a text that are still to come.
    public struct Reading: Sendable {
        var sentences: SentenceReader
        let cutter: SentenceCutter
        /// The phonemes met so far that the voice does not know, those of sentences too of which nothing is left.
        public private(set) var skipped: Set<Unicode.Scalar> = []

        init(sentences: SentenceReader, cutter: SentenceCutter) {
            self.sentences = sentences
            self.cutter = cutter
        }

        /// The next sentence that the voice can say; nil at the end of the text.
        public mutating func next() throws(PhonemeError) -> Sentence? {
            while let sentence = try sentences.next() {
                let parts = cutter.parts(of: sentence.phonemes)
                guard parts.isEmpty else {
                    for part in parts { skipped.formUnion(part.encoding.skipped) }
                    return Sentence(sentence: sentence, parts: parts)
                }
                skipped.formUnion(cutter.map.encode(sentence.phonemes).skipped)
            }
            return nil
        }
    }

    /// All sentences of a text. Empty text, white space and text of nothing but punctuation give an empty list.
    public func sentences(of text: String) throws(PhonemeError) -> [Sentence] {
        var reading = try read(text)
        var sentences: [Sentence] = []
        while let sentence = try reading.next() { sentences.append(sentence) }
        return sentences
    }
}

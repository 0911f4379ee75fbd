/// Sentences of phonemes with their ids, to be written as JSON: `{"sentences": [{"phonemes": "…", "ids": […]}]}`.
public struct PhonemeListing: Sendable, Codable, Equatable {
    public struct Sentence: Sendable, Codable, Equatable {
        /// NFD.
        public var phonemes: String
        /// The ids of the whole sentence, uncut.
        public var ids: [Int]
    }

    public var sentences: [Sentence] = []
    /// The phonemes that the map has no ids for. Not part of the JSON: a matter for a warning.
    public var skipped: Set<Unicode.Scalar> = []

    private enum CodingKeys: String, CodingKey { case sentences }

    /// Sentences that say nothing with the ids of `map` are left out.
    public init(_ sentences: [PhonemeSentence], map: PhonemeIDMap) {
        for sentence in sentences {
            let encoding = map.encode(sentence.phonemes)
            skipped.formUnion(encoding.skipped)
            if encoding.isSpeakable {
                self.sentences.append(Sentence(phonemes: sentence.string, ids: encoding.ids))
            }
        }
    }
}

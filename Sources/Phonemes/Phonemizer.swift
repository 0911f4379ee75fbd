/// Turns text into sentences of phonemes.
///
/// A phonemizer is bound to one voice or language when it is made, holds no state between calls and may be used
/// from many tasks at once. Applications can bring their own: `sentences(of:)` is all that is required.
public protocol Phonemizer: Sendable {
    /// All sentences of a text, in order; sentences with nothing to say are left out. Empty text, white space and
    /// text of nothing but punctuation give an empty list.
    func sentences(of text: String) throws(PhonemeError) -> [PhonemeSentence]

    /// Reads a text sentence by sentence, so that speech can start before a long text has been read to its end.
    ///
    /// The sentences are those of `sentences(of:)`. Errors that concern the text as a whole are thrown here,
    /// before the first sentence.
    func reader(of text: String) throws(PhonemeError) -> SentenceReader

    /// Opens what reading a text will need, so that the first text does not wait for it. What goes wrong is thrown
    /// by that text. Does nothing unless a phonemizer has something to open.
    func prepare()
}

extension Phonemizer {
    public func reader(of text: String) throws(PhonemeError) -> SentenceReader {
        SentenceReader(try sentences(of: text))
    }

    public func prepare() {}
}

/// The sentences of a text, one after the other.
public struct SentenceReader: Sendable {
    private var source: any SentenceSource
    private var ready: [PhonemeSentence] = []
    private var taken = 0

    /// A reader of sentences that are already there.
    public init(_ sentences: [PhonemeSentence]) {
        source = NoMoreSentences()
        ready = sentences
    }

    init(_ source: some SentenceSource) {
        self.source = source
    }

    /// The next sentence that has something to say; nil at the end of the text.
    public mutating func next() throws(PhonemeError) -> PhonemeSentence? {
        while true {
            while taken < ready.count {
                taken += 1
                if ready[taken - 1].isSpeakable { return ready[taken - 1] }
            }
            guard let more = try source.read() else { return nil }
            ready = more
            taken = 0
        }
    }

    /// All sentences that are left.
    mutating func rest() throws(PhonemeError) -> [PhonemeSentence] {
        var sentences: [PhonemeSentence] = []
        while let sentence = try next() { sentences.append(sentence) }
        return sentences
    }
}

/// What a `SentenceReader` reads from, some sentences at a time.
protocol SentenceSource: Sendable {
    /// The next sentences, possibly none; nil at the end of the text.
    mutating func read() throws(PhonemeError) -> [PhonemeSentence]?
}

private struct NoMoreSentences: SentenceSource {
    mutating func read() throws(PhonemeError) -> [PhonemeSentence]? { nil }
}

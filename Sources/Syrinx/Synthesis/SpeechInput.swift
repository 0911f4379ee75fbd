import Phonemes

/// What is to be spoken.
public enum SpeechInput: Sendable {
    /// Text in the voice's language; `[[ … ]]` holds phonemes.
    case text(String)
    /// Sentences of phoneme ids, each with its begin, pad and end ids.
    case ids([[Int]])
}

/// The inferences of a request, one after the other.
struct InferenceSequence {
    struct Inference {
        let ids: [Int]
        /// Seconds of silence that the voice asks for behind it.
        let silence: Double
        let endsSentence: Bool
        let text: String
    }

    private enum Source {
        case reading(VoiceTextReader.Reading)
        case ids(ArraySlice<[Int]>)
    }

    private var source: Source
    private var pending: [Inference] = []
    /// Phonemes that the voice has no ids for; they are not spoken.
    private(set) var skipped: Set<Unicode.Scalar> = []

    init(_ input: SpeechInput, voice: Voice) throws(SpeechError) {
        switch input {
        case .text(let text):
            let reader = try voice.textReader()
            do throws(PhonemeError) { source = .reading(try reader.read(text)) } catch { throw .text(error) }
        case .ids(let sentences):
            source = .ids(sentences.filter { !$0.isEmpty }[...])
        }
    }

    mutating func next() throws(SpeechError) -> Inference? {
        if pending.isEmpty { try refill() }
        return pending.isEmpty ? nil : pending.removeFirst()
    }

    private mutating func refill() throws(SpeechError) {
        switch source {
        case .ids(var rest):
            guard let ids = rest.popFirst() else { return }
            source = .ids(rest)
            pending = [Inference(ids: ids, silence: 0, endsSentence: true, text: "")]
        case .reading(var reading):
            let sentence: VoiceTextReader.Sentence?
            do throws(PhonemeError) { sentence = try reading.next() } catch { throw .text(error) }
            source = .reading(reading)
            guard let sentence else { return }
            skipped.formUnion(sentence.skipped)
            pending = sentence.parts.enumerated().map { index, part in
                Inference(
                    ids: part.encoding.ids, silence: part.silence,
                    endsSentence: index == sentence.parts.count - 1,
                    text: index == 0 ? sentence.sentence.text : "")
            }
        }
    }
}

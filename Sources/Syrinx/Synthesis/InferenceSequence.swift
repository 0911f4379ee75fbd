import Phonemes
import VITS

/// The inferences of a request, one after the other; text is read no further than asked for.
struct InferenceSequence {
    private enum Source {
        case reading(VoiceTextReader.Reading)
        case ids(ArraySlice<[Int]>)
        /// All sentences in one inference, as far as the limit allows.
        case whole(VoiceTextReader.Reading, SentenceCutter)
    }

    private var source: Source
    private let cancellation: SpeechCancellation
    private var pending: [Inference] = []
    private var isAtEnd = false
    private var sentences = 0
    private var inferences = 0
    private var weightGiven = 0.0
    /// Phonemes that the voice has no ids for; they are not spoken.
    private(set) var skipped: Set<Unicode.Scalar> = []
    /// The size of the request: bytes of a text, or ids.
    let totalWeight: Double

    init(
        _ input: SpeechInput, voice: Voice, chunking: ChunkingStrategy, cancellation: SpeechCancellation
    ) throws(SpeechError) {
        self.cancellation = cancellation
        switch input {
        case .text(let text):
            let reader = try voice.textReader()
            totalWeight = Double(text.utf8.count)
            do throws(PhonemeError) {
                let reading = try reader.read(text)
                source =
                    switch chunking {
                    case .sentence: .reading(reading)
                    case .none: .whole(reading, Self.uncut(reader.cutter))
                    }
            } catch {
                throw .text(error)
            }
        case .ids(let sentences):
            let spoken = sentences.filter { !$0.isEmpty }
            totalWeight = Double(spoken.reduce(0) { $0 + $1.count })
            source = .ids(spoken[...])
        }
    }

    private static func uncut(_ cutter: SentenceCutter) -> SentenceCutter {
        SentenceCutter(map: cutter.map, maximumIDs: VITSModel.maximumIds, silences: cutter.silences)
    }

    /// What of `totalWeight` has not been given out.
    var remainingWeight: Double { isAtEnd && pending.isEmpty ? 0 : max(0, totalWeight - weightGiven) }

    /// The next inference; nil at the end of the input, or of what had been read when the request was cancelled.
    mutating func next() throws(SpeechError) -> Inference? {
        if pending.isEmpty, !isAtEnd { try refill() }
        guard !pending.isEmpty else {
            isAtEnd = true
            return nil
        }
        let inference = pending.removeFirst()
        weightGiven += inference.weight
        return inference
    }

    private mutating func refill() throws(SpeechError) {
        switch source {
        case .ids(var rest):
            guard let ids = rest.popFirst() else { return }
            source = .ids(rest)
            append(ids: ids, silence: 0, isFirst: true, isLast: true, weight: Double(ids.count), Inference.Script())
        case .reading(var reading):
            let sentence: VoiceTextReader.Sentence?
            do throws(PhonemeError) { sentence = try reading.next() } catch { throw .text(error) }
            source = .reading(reading)
            skipped.formUnion(reading.skipped)
            if let sentence { append(sentence.sentence, sentence.parts) }
        case .whole(var reading, let cutter):
            let sentence: PhonemeSentence?
            do throws(PhonemeError) { sentence = try joined(&reading) } catch { throw .text(error) }
            source = .ids([])
            skipped.formUnion(reading.skipped)
            if let sentence { append(sentence, cutter.parts(of: sentence.phonemes)) }
        }
    }

    /// All sentences that are left as one, with a space between two.
    private func joined(_ reading: inout VoiceTextReader.Reading) throws(PhonemeError) -> PhonemeSentence? {
        var whole: PhonemeSentence?
        while !cancellation.isCancelled, let next = try reading.next()?.sentence {
            guard let before = whole else {
                whole = next
                continue
            }
            whole = PhonemeSentence(
                text: before.text + " " + next.text, phonemes: before.phonemes + [" "] + next.phonemes)
        }
        return whole
    }

    private mutating func append(_ sentence: PhonemeSentence, _ parts: [SentenceCutter.Part]) {
        let total = parts.reduce(0) { $0 + $1.encoding.ids.count }
        let weight = Double(sentence.text.utf8.count)
        for (index, part) in parts.enumerated() {
            skipped.formUnion(part.encoding.skipped)
            append(
                ids: part.encoding.ids, silence: part.silence, isFirst: index == 0, isLast: index == parts.count - 1,
                weight: weight * Double(part.encoding.ids.count) / Double(max(1, total)),
                Inference.Script(sentence, part))
        }
    }

    private mutating func append(
        ids: [Int], silence: Double, isFirst: Bool, isLast: Bool, weight: Double, _ script: Inference.Script
    ) {
        pending.append(
            Inference(
                ids: ids, index: inferences, sentence: sentences, startsSentence: isFirst, endsSentence: isLast,
                silence: silence, weight: weight, script: script))
        inferences += 1
        if isLast { sentences += 1 }
    }
}

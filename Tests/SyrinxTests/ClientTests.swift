// What an application can write: nothing but the public import.
import Syrinx
import Testing

/// A part of an application's interface, which is tried out without a voice.
private struct ProgressView {
    private(set) var label = ""

    mutating func show(_ progress: SpeechProgress) {
        let seconds = progress.audioDuration + progress.remainingDuration
        label = "\(Int(progress.fraction * 100)) % of \(seconds) s, \(progress.marks.map(\.text))"
    }

    mutating func show(_ result: SpeechResult) {
        label = "\(result.finishReason), \(result.audioDuration) s, \(result.sampleCount) samples, seed \(result.seed)"
    }
}

/// A source as an application writes it: a tone for every word, nothing known of what is to come.
private struct Beeper: SpeechSource {
    let sampleRate = 8000

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        guard case .text(let text) = input else {
            throw SpeechError.invalidOption(name: "input", value: "phoneme ids", expected: "text")
        }
        return Reader(words: text.split(separator: " ").map(String.init))
    }

    private final class Reader: SpeechReader {
        private var words: ArraySlice<String>
        init(words: [String]) { self.words = words[...] }

        func next() -> SpeechPiece? {
            guard let word = words.popFirst() else { return nil }
            let mark = SpeechMark(kind: .word, text: word, sentence: 0, start: 0, duration: 1)
            return SpeechPiece(samples: [Float](repeating: 0.5, count: 8000), isLast: words.isEmpty, marks: [mark])
        }
    }
}

@Suite("Written by an application")
struct ClientTests {
    @Test("News and results made by hand hold what they are given, and defaults of nothing")
    func madeByHand() {
        var view = ProgressView()
        let mark = SpeechMark(kind: .word, text: "Hello", sentence: 0, start: 0, duration: 0.5)
        view.show(
            SpeechProgress(
                audio: [0, 0.5], sampleRate: 4, audioDuration: 1.5, remainingDuration: 0.5, fraction: 0.75,
                marks: [mark]))
        #expect(view.label == #"75 % of 2.0 s, ["Hello"]"#)
        view.show(SpeechProgress())
        #expect(view.label == "0 % of 0.0 s, []")
        view.show(SpeechResult(audio: [0, 0, 0], sampleRate: 2, finishReason: .cancelled, seed: 7))
        #expect(view.label == "cancelled, 1.5 s, 3 samples, seed 7")
        view.show(SpeechResult(sampleRate: 2, sampleCount: 8))
        #expect(view.label == "finished, 4.0 s, 8 samples, seed 0")
        let result = SpeechResult(marks: [mark], underrunCount: 2)
        #expect(result.words == [mark] && result.sentences.isEmpty && result.underrunCount == 2)
        #expect(result.timings == SpeechTimings() && result.timings.timeToFirstSound == nil)
    }

    @Test("A source that says that nothing remains while more comes has it believed: the fraction waits below 1")
    func nothingRemains() async throws {
        let tts = SpeechSynthesizer(source: Beeper())
        var fractions: [Double] = []
        for try await news in tts.stream(text: "one two three") { fractions.append(news.fraction) }
        #expect(fractions.count == 3 && fractions.last == 1)
        for fraction in fractions.dropLast() { #expect(fraction > 0.95 && fraction < 1) }
    }
}

import Testing

@testable import Syrinx

@Suite("Marks where sentences overlap")
struct MarkTests {
    @Test("A crossfade lets the next sentence's words begin before the last word has ended; the order is the text's")
    func words() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.joe())
        // Without an end that the voice makes silent, the words themselves overlap.
        let options = GenerationOptions(seed: 3, crossfade: 0.6)
        let result = try await tts.generate(text: "Hello there, world. A second sentence.", options: options)
        #expect(result.words.map(\.text) == ["Hello", "there,", "world.", "A", "second", "sentence."])
        #expect(result.marks.map(\.sentence) == result.marks.map(\.sentence).sorted())
        #expect(abs(result.sentences[0].end - result.sentences[1].start - 0.6) < 1e-4)
        #expect(abs(result.sentences[1].end - result.audioDuration) < 1e-4)
        #expect(result.words[3].start < result.words[2].end)
        for (sentence, mark) in result.sentences.enumerated() {
            for kind in [result.words, result.phonemes] {
                let own = kind.filter { $0.sentence == sentence }
                #expect(own.allSatisfy { $0.start >= mark.start - 1e-9 && $0.end <= mark.end + 1e-9 })
                for (before, after) in zip(own, own.dropFirst()) { #expect(before.end <= after.start + 1e-9) }
            }
        }
    }

    @Test("Where a sentence is shorter than the crossfade, the one after it begins before it")
    func shortSentence() async throws {
        let tts = SpeechSynthesizer(source: ScriptedSource([[48_000], [12_000], [72_000]]))
        let result = try await tts.generate(text: "", options: GenerationOptions(crossfade: 1))
        #expect(result.sentences.map(\.sentence) == [0, 1, 2])
        #expect(result.sentences.map(\.start) == [0, 1.5, 1])
        #expect(result.audioDuration == 4)
    }
}

import Testing

@testable import Syrinx

@Suite("Options")
struct OptionsTests {
    @Test(
        "What is out of range is refused by name, with what is allowed",
        arguments: [
            (GenerationOptions(rate: 0), "rate"), (GenerationOptions(rate: .nan), "rate"),
            (GenerationOptions(pitch: 2.1), "pitch"), (GenerationOptions(volume: -1), "volume"),
            (GenerationOptions(lengthScale: 0), "length scale"), (GenerationOptions(noiseScale: -0.1), "noise scale"),
            (GenerationOptions(noiseWidth: .infinity), "noise width"),
            (GenerationOptions(sentenceSilence: -1), "sentence silence"),
            (GenerationOptions(crossfade: 6), "crossfade"), (GenerationOptions(sampleRate: 1), "sample rate"),
            (GenerationOptions(concurrentWorkerCount: 0), "concurrent worker count"),
            (GenerationOptions(concurrentWorkerCount: -1), "concurrent worker count"),
            (GenerationOptions(threads: 0), "threads"),
        ])
    func refused(options: GenerationOptions, name: String) async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny())
        do {
            try await tts.generate(.ids(TestVoices.sentences), options: options)
            Issue.record("\(name) was accepted")
        } catch SpeechError.invalidOption(let refused, _, let expected) {
            #expect(refused == name)
            #expect(expected.hasPrefix("a number from"))
        }
        do {
            for try await _ in tts.stream(.ids(TestVoices.sentences), options: options) {}
            Issue.record("\(name) was accepted by stream")
        } catch SpeechError.invalidOption(let refused, _, _) {
            #expect(refused == name)
        }
    }

    @Test("A speaker is a name or number of the voice's")
    func speakers() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny("tiny-multispeaker"))
        func audio(_ speaker: String?) async throws -> [Float] {
            try await tts.generate(
                .ids([TestVoices.sentences[0]]), options: GenerationOptions(speaker: speaker, seed: 1)
            ).audio
        }
        #expect(try await audio("1") != audio("0"))
        await #expect(throws: SpeechError.self) { try await audio("nobody") }
    }

    @Test("A language that is not the voice's is refused; a bare language fits any region")
    func languages() throws {
        let voice = try TestVoices.joe()
        for accepted in ["en", "en-US", "en_us", "EN"] { try voice.check(language: accepted) }
        for refused in ["de", "en-GB", "eng"] {
            let error = #expect(throws: SpeechError.self) { try voice.check(language: refused) }
            guard case .wrongLanguage = error else {
                Issue.record("\(refused): \(String(describing: error))")
                continue
            }
        }
        for name in ["english", "English", "e", "", "_"] {
            let error = #expect(throws: SpeechError.self) { try voice.check(language: name) }
            #expect(error.map { "\($0)" }?.contains("such as en or en_US") == true, "\(name)")
        }
    }

    @Test("Pitch, rate and sample rate do what they say to the length")
    func lengths() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny())
        func samples(_ options: GenerationOptions) async throws -> Int {
            try await tts.generate(.ids([TestVoices.sentences[4]]), options: options).sampleCount
        }
        let plain = try await samples(GenerationOptions(noiseWidth: 0, seed: 1))
        #expect(try await samples(GenerationOptions(pitch: 1.5, noiseWidth: 0, seed: 1)) == plain)
        let wide = try await samples(GenerationOptions(noiseWidth: 0, seed: 1, sampleRate: 44_100))
        #expect(wide == 2 * plain)
        let fast = try await samples(GenerationOptions(rate: 2, noiseWidth: 0, seed: 1))
        #expect(Double(fast) < 0.75 * Double(plain) && Double(fast) > 0.45 * Double(plain))
    }
}

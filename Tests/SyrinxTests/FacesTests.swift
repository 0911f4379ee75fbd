import Foundation
import Playback
import Synchronization
import Testing

@testable import Syrinx

/// Laws 8 and 9: the same seed gives the same samples through every face, for any number of workers, again and again.
@Suite("generate, stream and play")
struct FacesTests {
    private let options = GenerationOptions(seed: 11, sampleRate: 24_000)

    private func synthesizer(_ sink: RecordingSink = RecordingSink()) throws -> SpeechSynthesizer {
        SpeechSynthesizer(voice: try TestVoices.tiny(), audioOutput: AudioOutput(sink: sink))
    }

    @Test("The same request on the same instance gives the same samples, and another seed others")
    func repeatable() async throws {
        let tts = try synthesizer()
        let first = try await tts.generate(.ids(TestVoices.sentences), options: options)
        let second = try await tts.generate(.ids(TestVoices.sentences), options: options)
        #expect(first.audio.count > 24_000)
        #expect(first.audio == second.audio)
        #expect(first.seed == 11)
        var other = options
        other.seed = 12
        #expect(try await tts.generate(.ids(TestVoices.sentences), options: other).audio != first.audio)
    }

    @Test("A request without a seed says which one repeats it")
    func seedOfAnotherRun() async throws {
        let tts = try synthesizer()
        let free = try await tts.generate(.ids([TestVoices.sentences[0]]))
        let again = try await tts.generate(
            .ids([TestVoices.sentences[0]]), options: GenerationOptions(seed: free.seed))
        #expect(free.audio == again.audio)
    }

    @Test("Rendering 1, 2, 3 or 7 sentences at once gives the same samples and marks", arguments: [2, 3, 7])
    func workers(count: Int) async throws {
        let tts = try synthesizer()
        let alone = try await tts.generate(.ids(TestVoices.sentences), options: options)
        var several = options
        several.concurrentWorkerCount = count
        let shared = try await tts.generate(.ids(TestVoices.sentences), options: several)
        #expect(alone.audio == shared.audio)
        #expect(alone.marks == shared.marks)
        #expect(alone.sampleCount == shared.sampleCount)
    }

    @Test("What may be heard meanwhile, as through a pipe, begins sooner than what is wanted whole")
    func early() async throws {
        let tts = try synthesizer()
        var chunks: [Bool: [[Float]]] = [:]
        for wantsAll in [false, true] {
            let heard = Mutex<[[Float]]>([])
            _ = try await tts.generate(
                .ids([TestVoices.sentences[4]]), options: options, keepsAudio: false, wantsAll: wantsAll
            ) { news in
                heard.withLock { if !news.audio.isEmpty { $0.append(news.audio) } }
                return true
            }
            chunks[wantsAll] = heard.withLock { $0 }
        }
        let (piped, whole) = (try #require(chunks[false]), try #require(chunks[true]))
        #expect(Array(piped.joined()) == Array(whole.joined()))
        #expect(try #require(piped.first).count < #require(whole.first).count)
    }

    @Test("The chunks of stream put together are the audio of generate")
    func stream() async throws {
        let tts = try synthesizer()
        var chunks: [Float] = []
        for try await chunk in tts.stream(.ids(TestVoices.sentences), options: options) {
            #expect(chunk.sampleRate == 24_000)
            chunks += chunk.audio
        }
        let whole = try await tts.generate(.ids(TestVoices.sentences), options: options)
        #expect(chunks == whole.audio)
    }

    @Test(
        "What is heard is what is saved, sample for sample",
        arguments: [PlaybackStrategy.auto, .stream, .buffered(seconds: 0.5), .generateFirst])
    func play(strategy: PlaybackStrategy) async throws {
        let sink = RecordingSink()
        let tts = try synthesizer(sink)
        var options = options
        options.concurrentWorkerCount = 2
        let played = try await tts.play(.ids(TestVoices.sentences), options: options, playbackStrategy: strategy)
        #expect(played.finishReason == .finished)
        #expect(sink.samples == played.audio)
        #expect(try await tts.generate(.ids(TestVoices.sentences), options: options).audio == played.audio)
        #expect(try #require(played.timings.timeToFirstSound) >= played.timings.timeToFirstBuffer)
        #expect(sink.opened == 1 && sink.closed == 1)
    }

    @Test(
        "Streamed marks are those of the whole, also where a step gives no audio",
        arguments: [
            GenerationOptions(), GenerationOptions(pitch: 1.3), GenerationOptions(crossfade: 0.4),
            GenerationOptions(normalizes: true), GenerationOptions(pitch: 0.8, crossfade: 0.3, normalizes: true),
        ])
    func streamedMarks(options: GenerationOptions) async throws {
        let source = ScriptedSource([[200, 4000, 9000], [12_000], [300, 300, 7000]])
        let tts = SpeechSynthesizer(source: source)
        let whole = try await tts.generate(text: "", options: options)
        var (marks, audio): ([SpeechMark], [Float]) = ([], [])
        for try await chunk in tts.stream(text: "", options: options) {
            #expect(!chunk.audio.isEmpty || chunk.fraction == 1)
            marks += chunk.marks
            audio += chunk.audio
        }
        #expect(whole.marks.count == 3)
        #expect(marks == whole.marks)
        #expect(audio == whole.audio)
    }

    @Test("A second play while one is going on throws; after it the output plays again")
    func secondPlay() async throws {
        let sink = RecordingSink(inRealTime: true)
        // The first waits in its second step until the other has been refused.
        let gate = DispatchSemaphore(value: 0)
        let source = ScriptedSource([[12_000, 12_000]]) { number in if number == 1 { gate.wait() } }
        let tts = SpeechSynthesizer(source: source, audioOutput: AudioOutput(sink: sink))
        let first = Task { try await tts.play(text: "") }
        while sink.opened == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
        do {
            try await tts.play(text: "")
            Issue.record("two playbacks at once")
        } catch SpeechError.playback(let error) {
            #expect(error == .alreadyPlaying)
        }
        gate.signal()
        let result = try await first.value
        #expect(result.finishReason == .finished)
        // A machine that keeps this process from running leaves gaps, with faded edges.
        if result.underrunCount == 0 { #expect(sink.samples.filter { $0 != 0 } == result.audio.filter { $0 != 0 }) }
        #expect(try await tts.play(text: "").finishReason == .finished)
        #expect(sink.opened == 2 && sink.closed == 2)
    }

    @Test("Text with nothing to say gives no audio, no news, and no error")
    func nothing() async throws {
        let sink = RecordingSink()
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny(), audioOutput: AudioOutput(sink: sink))
        for input in [SpeechInput.ids([]), .ids([[]])] {
            let result = try await tts.play(input) { _ in
                Issue.record("news of nothing")
                return true
            }
            #expect(result.audio.isEmpty && result.finishReason == .finished)
        }
        #expect(sink.samples.isEmpty && sink.opened == sink.closed)
    }
}

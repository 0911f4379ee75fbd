import Glibc
import Synchronization
import Testing

@testable import Syrinx

@Suite("Progress and results")
struct ProgressTests {
    /// A request's news and its result.
    private func run(
        _ input: SpeechInput, _ options: GenerationOptions = GenerationOptions(seed: 3), voice: String = "tiny-medium"
    ) async throws -> (news: [SpeechProgress], result: SpeechResult) {
        let news = Mutex<[SpeechProgress]>([])
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny(voice))
        let result = try await tts.generate(input, options: options) { progress in
            news.withLock { $0.append(progress) }
            return nil
        }
        return (news.withLock { $0 }, result)
    }

    @Test("Counters never fall, the fraction reaches 1 with the last news and not before", arguments: [1, 3])
    func monotone(workers: Int) async throws {
        var options = GenerationOptions(seed: 3)
        options.concurrentWorkerCount = workers
        let (news, result) = try await run(.ids(TestVoices.sentences), options)
        #expect(news.map(\.stepsCompleted) == Array(1...news.count))
        #expect(news.flatMap(\.audio) == result.audio)
        #expect(news.last?.fraction == 1)
        #expect(news.last?.remainingDuration == 0)
        #expect(news.last?.chunksCompleted == TestVoices.sentences.count)
        #expect(news.dropLast().allSatisfy { $0.fraction < 1 && $0.stepTime >= 0 })
        for (before, after) in zip(news, news.dropFirst()) {
            #expect(before.fraction <= after.fraction)
            #expect(before.chunkIndex <= after.chunkIndex)
            #expect(before.chunksCompleted <= after.chunksCompleted)
            #expect(before.audioDuration <= after.audioDuration)
        }
    }

    @Test("Within the last sentence the remaining audio is exact")
    func remaining() async throws {
        let (news, result) = try await run(.ids([TestVoices.sentences[4]]), GenerationOptions(seed: 3))
        #expect(news.count > 1)
        for progress in news.dropLast() {
            let total = progress.audioDuration + progress.remainingDuration
            #expect(abs(total - result.audioDuration) < 1e-9)
        }
    }

    @Test("Timings: parts are not negative and do not exceed the whole; RTF times speed factor is 1")
    func timings() async throws {
        let (_, result) = try await run(.ids(TestVoices.sentences))
        let timings = result.timings
        let parts = [
            timings.phases.reading, timings.phases.encoding, timings.phases.decoding, timings.phases.assembling,
        ]
        #expect(parts.allSatisfy { $0 >= 0 })
        #expect(parts.reduce(0, +) <= timings.fullPipeline)
        #expect(timings.timeToFirstBuffer > 0 && timings.timeToFirstBuffer <= timings.fullPipeline)
        #expect(abs(timings.realTimeFactor * timings.speedFactor - 1) < 1e-12)
        #expect(timings.audioDuration == Double(result.audio.count) / Double(result.sampleRate))
        #expect(timings.timeToFirstSound == nil)
    }

    @Test("The time to the first buffer has the callbacks before it, which the pipeline's has not")
    func timeToFirstBuffer() async throws {
        let tts = SpeechSynthesizer(source: ScriptedSource([[0, 2000, 2000]]))
        let start = ContinuousClock.now
        let pause = 0.05
        let result = try await tts.generate(text: "") { news in
            if news.stepsCompleted == 1 { usleep(UInt32(pause * 1e6)) }
            return true
        }
        let all = (ContinuousClock.now - start) / .seconds(1)
        #expect(result.timings.timeToFirstBuffer >= pause)
        #expect(result.timings.fullPipeline <= all - pause)
        #expect(try await tts.generate(text: "") { _ in false }.timings.timeToFirstBuffer == 0)
    }

    @Test("Words and phonemes follow each other, and end where their sentence does")
    func marks() async throws {
        let voice = try TestVoices.joe()
        let tts = SpeechSynthesizer(voice: voice)
        let result = try await tts.generate(
            text: "Hello there, world. A second sentence.", options: GenerationOptions(seed: 3, sentenceSilence: 0.5))
        #expect(result.sentences.map(\.text) == ["Hello there, world.", "A second sentence."])
        #expect(result.words.map(\.text) == ["Hello", "there,", "world.", "A", "second", "sentence."])
        #expect(abs(result.sentences[1].start - result.sentences[0].end - 0.5) < 1e-4)
        #expect(abs(result.sentences[1].end - result.audioDuration) < 1e-4)
        for kind in [result.words, result.phonemes] {
            for (before, after) in zip(kind, kind.dropFirst()) { #expect(before.end <= after.start + 1e-9) }
        }
        for word in result.words {
            let inside = result.phonemes.filter { $0.start >= word.start - 1e-9 && $0.end <= word.end + 1e-9 }
            #expect(!inside.isEmpty)
            #expect(abs(inside.reduce(0) { $0 + $1.duration } - word.duration) < 1e-9)
        }
        // The pause between the sentences is silence, the middle of each word is not.
        let rate = Double(result.sampleRate)
        let pause = Int((result.sentences[0].end + 0.01) * rate)..<Int((result.sentences[1].start - 0.01) * rate)
        #expect(result.audio[pause].allSatisfy { $0 == 0 })
        for word in result.words where word.duration > 0.1 {
            let samples = result.audio[Int(word.start * rate)..<Int(word.end * rate)]
            #expect(samples.contains { abs($0) > 0.01 }, "\(word.text)")
        }
    }

    @Test("Without the audio its marks are not kept either; the callback gets all of them")
    func unkept() async throws {
        let tts = SpeechSynthesizer(source: ScriptedSource([[3000, 2000], [4000]]))
        let kept = try await tts.generate(text: "")
        let marks = Mutex<[SpeechMark]>([])
        let unkept = try await tts.generate(.text(""), keepsAudio: false) { news in
            marks.withLock { $0 += news.marks }
            return true
        }
        #expect(kept.marks.count == 2)
        #expect(marks.withLock { $0 } == kept.marks)
        #expect(unkept.marks.isEmpty && unkept.audio.isEmpty)
        #expect(unkept.sampleCount == kept.sampleCount)
    }

    @Test("One inference for the whole text, where chunking is none")
    func unchunked() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.joe())
        let options = GenerationOptions(seed: 3, chunking: .none)
        let result = try await tts.generate(text: "One thing. Another thing.", options: options)
        #expect(result.sentences.map(\.text) == ["One thing. Another thing."])
        #expect(result.words.count == 4)
    }
}

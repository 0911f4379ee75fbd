import Playback
import Testing

@testable import Syrinx

/// What playback is told is about the audio that it gets.
@Suite("Announcements to playback")
struct AnnouncementTests {
    private static let options = [
        GenerationOptions(seed: 3), GenerationOptions(pitch: 1.3, seed: 3), GenerationOptions(volume: 2, seed: 3),
        GenerationOptions(seed: 3, crossfade: 0.05), GenerationOptions(seed: 3, sampleRate: 48_000),
        GenerationOptions(seed: 3, normalizes: true),
        GenerationOptions(pitch: 0.8, seed: 3, crossfade: 0.05, normalizes: true),
    ]

    /// The news of a request that is heard while it is made: one whose end alone is wanted takes larger steps.
    private func news(
        _ sentences: [[Int]], _ options: GenerationOptions
    ) throws -> (news: [SpeechProgress], result: SpeechResult) {
        var news: [SpeechProgress] = []
        let request = SpeechRequest(
            VoiceSpeechSource(voice: try TestVoices.tiny()), .ids(sentences), options, wantsAll: false,
            keepsAudio: true)
        let result = try request.run(SpeechCancellation()) { progress in
            news.append(progress)
            return true
        }
        return (news, result)
    }

    private func seconds(_ news: SpeechProgress) -> Double { Double(news.audio.count) / Double(news.sampleRate) }

    @Test("In a sentence, what is announced adds up to what comes, to the sample", arguments: options)
    func exact(options: GenerationOptions) throws {
        let (news, result) = try news([TestVoices.sentences[4]], options)
        #expect(news.count > 2)
        for progress in news.dropLast() {
            let left = result.audioDuration - progress.audioDuration
            #expect(abs(progress.step.remaining - left) < 2 / Double(result.sampleRate))
            #expect(abs(progress.step.coming.reduce(0, +) - left) < 2 / Double(result.sampleRate))
            #expect(progress.remainingDuration == progress.step.remaining)
        }
    }

    @Test("Where inferences are normalised, each is announced as the one piece that it comes in")
    func wholes() throws {
        let options = GenerationOptions(seed: 3, sentenceSilence: 0, normalizes: true)
        let (news, _) = try news(TestVoices.sentences, options)
        // The limiter and the fade of the end hold a few milliseconds back.
        var checked = 0
        for (index, progress) in news.enumerated() {
            guard let next = progress.step.coming.first,
                let arrival = news[(index + 1)...].first(where: { !$0.audio.isEmpty })
            else { continue }
            #expect(abs(seconds(arrival) - next) < 0.03)
            checked += 1
        }
        #expect(checked > TestVoices.sentences.count)
        #expect(news.count { $0.audio.isEmpty } > TestVoices.sentences.count)
        let largest = news.map(seconds).max() ?? 0
        #expect(news.dropLast().contains { abs(($0.step.largestStep ?? 0) - largest) < 0.03 })
    }

    @Test("No time is lost: what the steps took arrives with the audio that they took it for", arguments: options)
    func time(options: GenerationOptions) throws {
        let (news, _) = try news(TestVoices.sentences, options)
        var (told, taken) = (0.0, 0.0)
        for progress in news {
            taken += progress.stepTime
            told += progress.step.stepTime
            #expect(progress.step.stepTime >= progress.step.preparation)
            #expect(!progress.audio.isEmpty || progress.step.stepTime == progress.step.preparation)
            #expect(told <= taken + 1e-9)
        }
        #expect(abs(told - taken) < 1e-9)
    }

    @Test("The rate that playback measures is that of generation, whatever is held back")
    func rate() {
        // Each step of 0.1 s takes 0.05 s; 0.04 s are always late.
        var account = StepAccount(sourceRate: 24_000, normalizes: false)
        for step in 0..<10 {
            let piece = SpeechPiece(samples: [Float](repeating: 0, count: 2400), remaining: Double(10 - step) / 10)
            let audio = step == 0 ? 0.06 : 0.1
            let told = account.record(piece, stepTime: 0.05, audio: audio, held: SpeechAssembler.Held(delay: 0.04))
            #expect(abs(told.stepTime / audio - 0.5) < 1e-9)
        }
        // An inference of four such steps comes out with its last.
        var whole = StepAccount(sourceRate: 24_000, normalizes: true)
        for step in 0..<4 {
            let piece = SpeechPiece(
                samples: [Float](repeating: 0, count: 2400), endsInference: step == 3, remaining: 1,
                recordingSamples: step == 0 ? 9600 : 0)
            let told = whole.record(
                piece, stepTime: 0.05, audio: step == 3 ? 0.4 : 0,
                held: SpeechAssembler.Held(inference: step == 3 ? 0 : 0.1 * Double(step + 1)))
            #expect(abs(told.stepTime - (step == 3 ? 0.2 : 0)) < 1e-9)
        }
    }
}

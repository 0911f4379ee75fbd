import Foundation
import Playback
import Synchronization
import Testing

@testable import Syrinx

@Suite("A request and its player")
struct PlayerTests {
    @Test("A buffer of 60 s is kept at 60 s: what has been heard is made anew, not first when 20 s are left")
    func largeBuffer() async throws {
        let source = ScriptedSource([Array(repeating: 2400, count: 1000)])
        let output = AudioOutput(sink: RecordingSink(inRealTime: true))
        let task = Task {
            try await SpeechSynthesizer(source: source, audioOutput: output)
                .play(.text(""), playbackStrategy: .buffered(60), keepsAudio: false)
        }
        // 600 steps are 60 s. The next ones come long before 40 s have been heard.
        while source.stepsBegun.load(ordering: .relaxed) < 605, output.currentPlaybackTime < 10 {
            try await Task.sleep(nanoseconds: 1_000_000)
        }
        let made = source.stepsBegun.load(ordering: .relaxed)
        let heard = output.currentPlaybackTime
        task.cancel()
        _ = try? await task.value
        #expect(made >= 605)
        #expect(Double(made) / 10 < 60 + heard + 0.3, "no further ahead than the buffer and a step")
    }

    @Test("Speech made slower than sound is not held up while the rest calls for a longer lead than 20 s")
    func slowerThanSound() async throws {
        // 200 s at 0.8 times real time: a fifth of the whole must be queued when sound starts.
        let total = 2000
        let output = AudioOutput(sink: RecordingSink(inRealTime: true))
        try output.startPlayback(strategy: .auto)
        let step = [Float](repeating: 0.5, count: 2400)
        var made = 0
        while output.silentBufferRemaining > 0, made < total {
            made += 1
            try output.enqueueAudioChunk(
                step, step: GenerationStep(stepTime: 0.125, remaining: Double(total - made) / 10, largestStep: 0.1))
        }
        // Steps of 0.1 s that each take 0.125 s: U seconds to be made call for a quarter of U.
        let left = Double(total - made) / 10
        #expect(output.requiredLead > 0.25 * left && output.requiredLead < 0.25 * left + 3)
        #expect(output.requiredLead > RequestPlayer.furthestLead)
        await output.stopPlayback(waitForCompletion: false)
    }

    @Test("A callback that takes longer than the audio lasts makes generation slower than sound, which auto counts on")
    func slowCallback() async throws {
        let output = AudioOutput(sink: RecordingSink(inRealTime: true))
        let lead = Mutex<[Double]>([])
        // Ten steps of 0.1 s that take next to nothing, with 0.2 s in the callback after each.
        _ = try await SpeechSynthesizer(
            source: ScriptedSource([Array(repeating: 2400, count: 10)]), audioOutput: output
        )
        .play(text: "", playbackStrategy: .auto) { news in
            lead.withLock { $0.append(output.requiredLead) }
            Thread.sleep(forTimeInterval: 0.2)
            return news.stepsCompleted < 5
        }
        let required = lead.withLock { $0 }
        #expect(required.count == 5)
        // After the fifth, half a second remains, which takes a second or more.
        #expect((required.last ?? 0) > 0.5)
    }

    @Test("The end is declared with the last piece: generateFirst is heard while the last callback is still running")
    func earlyEnd() async throws {
        let output = AudioOutput(sink: RecordingSink(inRealTime: true))
        let heardIn = Mutex(false)
        _ = try await SpeechSynthesizer(source: ScriptedSource([[2400, 2400]]), audioOutput: output)
            .play(text: "", playbackStrategy: .generateFirst) { news in
                guard news.fraction == 1 else { return true }
                for _ in 0..<500 where output.currentPlaybackTime == 0 { Thread.sleep(forTimeInterval: 0.01) }
                heardIn.withLock { $0 = output.currentPlaybackTime > 0 }
                return true
            }
        #expect(heardIn.withLock { $0 })
    }
}

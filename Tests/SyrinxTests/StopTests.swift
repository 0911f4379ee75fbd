import Foundation
import Playback
import Testing

@testable import Syrinx

@Suite("Stopping the output from outside")
struct StopTests {
    private let long = Array(repeating: Array(repeating: 2400, count: 10), count: 20)

    /// Waits until a playback that goes on is heard; an output that is idle still tells the last one's time.
    private func soundOf(_ output: AudioOutput) async throws {
        while output.playbackState != .playing || output.currentPlaybackTime < 0.05 {
            try await Task.sleep(nanoseconds: 1_000_000)
        }
    }

    @Test("A stop ends play with what is ready, as cancelled: while speech is made, and after it while it is heard")
    func stop() async throws {
        let sink = RecordingSink(inRealTime: true)
        let output = AudioOutput(sink: sink)
        // More than is made ahead, and less.
        for sentences in [long + long, [[2400, 48_000]]] {
            let source = ScriptedSource(sentences)
            let task = Task {
                try await SpeechSynthesizer(source: source, audioOutput: output)
                    .play(text: "", playbackStrategy: .stream)
            }
            try await soundOf(output)
            await output.stopPlayback(waitForCompletion: false)
            let result = try await task.value
            #expect(result.finishReason == .cancelled)
            #expect(!result.audio.isEmpty)
            #expect(output.playbackState == .idle)
        }
        #expect(sink.opened == 2 && sink.closed == 2)
    }

    @Test("A stop before the first sound ends play as cancelled")
    func early() async throws {
        let sink = RecordingSink(inRealTime: true)
        let output = AudioOutput(sink: sink)
        let gate = DispatchSemaphore(value: 0)
        let source = ScriptedSource(long) { number in if number == 0 { gate.wait() } }
        let task = Task { try await SpeechSynthesizer(source: source, audioOutput: output).play(text: "") }
        while source.stepsBegun.load(ordering: .relaxed) == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
        await output.stopPlayback(waitForCompletion: false)
        gate.signal()
        #expect(try await task.value.finishReason == .cancelled)
        #expect(source.stepsBegun.load(ordering: .relaxed) == 1)
        #expect(sink.samples.isEmpty && sink.closed == 1)
    }

    @Test("A stop that waits lets what was ready be heard, and ends play as cancelled")
    func waiting() async throws {
        let sink = RecordingSink(inRealTime: true)
        let output = AudioOutput(sink: sink)
        let gate = DispatchSemaphore(value: 0)
        let source = ScriptedSource(long) { number in if number == 5 { gate.wait() } }
        let task = Task {
            try await SpeechSynthesizer(source: source, audioOutput: output).play(text: "", playbackStrategy: .stream)
        }
        while source.stepsBegun.load(ordering: .relaxed) < 6 { try await Task.sleep(nanoseconds: 1_000_000) }
        await output.stopPlayback()
        gate.signal()
        #expect(try await task.value.finishReason == .cancelled)
        #expect(sink.closed == 1)
        // The fade of the end holds 256 samples back.
        #expect(output.currentPlaybackTime == Double(5 * 2400 - 256) / 24_000)
    }

    @Test("A request that was stopped leaves the one that plays next alone")
    func next() async throws {
        let output = AudioOutput(sink: RecordingSink(inRealTime: true))
        let gate = DispatchSemaphore(value: 0)
        let stuck = ScriptedSource(long) { number in if number == 5 { gate.wait() } }
        let first = Task {
            try await SpeechSynthesizer(source: stuck, audioOutput: output).play(text: "", playbackStrategy: .stream)
        }
        while stuck.stepsBegun.load(ordering: .relaxed) < 6 { try await Task.sleep(nanoseconds: 1_000_000) }
        await output.stopPlayback(waitForCompletion: false)
        let second = Task {
            try await SpeechSynthesizer(source: ScriptedSource([[2400, 24_000]]), audioOutput: output)
                .play(text: "", playbackStrategy: .stream)
        }
        try await soundOf(output)
        gate.signal()
        #expect(try await first.value.finishReason == .cancelled)
        let heard = try await second.value
        #expect(heard.finishReason == .finished)
        #expect(heard.sampleCount == 26_400 && output.scheduledAudioDuration == 1.1)
    }
}

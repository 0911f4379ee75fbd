import Foundation
import Playback
import Synchronization
import Testing

@testable import Syrinx

/// Law 7: nothing is delivered and nothing begun after a cancellation, and the device is closed on every way out.
@Suite("Cancellation")
struct CancellationTests {
    private let long = Array(repeating: Array(repeating: 2400, count: 10), count: 20)

    @Test("A callback that returns false is the last one; no step follows, and the result says so")
    func callback() async throws {
        let source = ScriptedSource(long)
        let calls = Atomic<Int>(0)
        let result = try await SpeechSynthesizer(source: source).generate(text: "") { _ in
            calls.add(1, ordering: .relaxed).newValue < 13
        }
        #expect(result.finishReason == .cancelled)
        #expect(calls.load(ordering: .relaxed) == 13)
        #expect(source.stepsBegun.load(ordering: .relaxed) == 13)
        #expect(!result.audio.isEmpty && result.audio.count < 13 * 2400 + 4800)
    }

    @Test("Cancelling the task throws at once, though a step is stuck; nothing is delivered afterwards")
    func task() async throws {
        let gate = DispatchSemaphore(value: 0)
        let source = ScriptedSource(long) { number in if number == 3 { gate.wait() } }
        let calls = Atomic<Int>(0)
        let tts = SpeechSynthesizer(source: source)
        let task = Task {
            try await tts.generate(text: "") { _ in
                calls.add(1, ordering: .relaxed)
                return true
            }
        }
        while source.stepsBegun.load(ordering: .relaxed) < 4 { try await Task.sleep(nanoseconds: 1_000_000) }
        task.cancel()
        // Returns although the step does not: its thread finds out later.
        await #expect(throws: CancellationError.self) { try await task.value }
        let delivered = calls.load(ordering: .relaxed)
        gate.signal()
        #expect(delivered == 3)
        // The same source serves the next request, which runs to its end.
        let next = try await tts.generate(text: "")
        #expect(next.finishReason == .finished)
        #expect(calls.load(ordering: .relaxed) == 3)
        #expect(source.stepsBegun.load(ordering: .relaxed) == 4 + 200)
    }

    @Test("A task that is cancelled before it begins makes nothing")
    func early() async throws {
        let source = ScriptedSource(long)
        let sink = RecordingSink()
        let tts = SpeechSynthesizer(source: source, audioOutput: AudioOutput(sink: sink))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await tts.play(text: "")
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(source.stepsBegun.load(ordering: .relaxed) == 0)
        #expect(sink.opened == sink.closed)
    }

    @Test("play: the device is closed when the callback, the task, the source or the device ends it")
    func devices() async throws {
        let sink = RecordingSink(inRealTime: true)
        let output = AudioOutput(sink: sink)

        let byCallback = try await SpeechSynthesizer(source: ScriptedSource(long), audioOutput: output)
            .play(text: "", playbackStrategy: .stream) { $0.stepsCompleted < 4 }
        #expect(byCallback.finishReason == .cancelled)
        #expect(sink.opened == 1 && sink.closed == 1)

        let task = Task {
            try await SpeechSynthesizer(source: ScriptedSource(long), audioOutput: output)
                .play(text: "", playbackStrategy: .stream)
        }
        while sink.opened < 2 || output.currentPlaybackTime == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(sink.opened == 2 && sink.closed == 2)

        let failing = ScriptedSource(long) { number in if number == 5 { throw ScriptedSource.Failure() } }
        await #expect(throws: ScriptedSource.Failure.self) {
            try await SpeechSynthesizer(source: failing, audioOutput: output).play(text: "")
        }
        #expect(sink.opened == 3 && sink.closed == 3)

        await #expect(throws: SpeechError.self) {
            try await SpeechSynthesizer(source: ScriptedSource(long), audioOutput: output)
                .play(text: "", options: GenerationOptions(rate: 0))
        }
        #expect(sink.opened == 3, "options are checked before the device is opened")
        #expect(output.playbackState == .idle)
    }

    @Test("A stop while playing ends the sound with a fade: no step larger than inside it")
    func fade() async throws {
        let sink = RecordingSink(inRealTime: true)
        let output = AudioOutput(sink: sink)
        // One long smooth tone, so that a hard stop would be a step.
        _ = try await SpeechSynthesizer(source: ToneSource(), audioOutput: output)
            .play(text: "", playbackStrategy: .stream) { _ in
                if output.currentPlaybackTime > 0.2 { return false }
                Thread.sleep(forTimeInterval: 0.01)
                return true
            }
        let heard = sink.samples
        let steps = zip(heard, heard.dropFirst()).map { abs($1 - $0) }
        #expect(heard.count > 4800)
        #expect((steps.max() ?? 1) < 0.05)
        #expect(abs(heard.last ?? 1) < 0.01)
    }

    @Test("Leaving a stream's loop ends the request: at most the chunks that wait have been made")
    func stream() async throws {
        let source = ScriptedSource(long)
        var taken = 0
        for try await _ in SpeechSynthesizer(source: source).stream(text: "") {
            taken += 1
            if taken == 4 { break }
        }
        try await Task.sleep(nanoseconds: 50_000_000)
        #expect(source.stepsBegun.load(ordering: .relaxed) <= 4 + SpeechChannel.capacity + 1)
    }

    @Test("A stream is made as it is taken, however long the text")
    func backPressure() async throws {
        let source = ScriptedSource(long)
        var iterator = SpeechSynthesizer(source: source).stream(text: "").makeAsyncIterator()
        #expect(source.stepsBegun.load(ordering: .relaxed) == 0, "nothing before the first is asked for")
        for taken in 1...30 {
            #expect(try await iterator.next() != nil)
            #expect(source.stepsBegun.load(ordering: .relaxed) <= taken + SpeechChannel.capacity + 1)
        }
    }

    @Test("Cancelling the task of a stream throws CancellationError")
    func streamTask() async throws {
        let source = ScriptedSource(long)
        let task = Task {
            var chunks = 0
            for try await _ in SpeechSynthesizer(source: source).stream(text: "") {
                chunks += 1
                while chunks == 3, !Task.isCancelled { await Task.yield() }
            }
        }
        while source.stepsBegun.load(ordering: .relaxed) < 3 { try await Task.sleep(nanoseconds: 1_000_000) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("An error of a stream's source comes after the chunks made before it, once")
    func streamFailure() async throws {
        let source = ScriptedSource(long) { number in if number == 6 { throw ScriptedSource.Failure() } }
        var iterator = SpeechSynthesizer(source: source).stream(text: "").makeAsyncIterator()
        for _ in 0..<6 { #expect(try await iterator.next() != nil) }
        await #expect(throws: ScriptedSource.Failure.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("Several sentences at once: a cancelled request ends though the workers are busy, and the next one runs")
    func workers() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny())
        let options = GenerationOptions(seed: 1, concurrentWorkerCount: 3)
        let result = try await tts.generate(.ids(TestVoices.sentences), options: options) { $0.stepsCompleted < 2 }
        #expect(result.finishReason == .cancelled)
        #expect(try await tts.generate(.ids(TestVoices.sentences), options: options).finishReason == .finished)
    }
}

/// Ten seconds of 200 Hz.
private struct ToneSource: SpeechSource {
    let sampleRate = 24_000

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader { Reader() }

    private final class Reader: SpeechReader {
        private var step = 0

        func next() throws -> SpeechPiece? {
            guard step < 100 else { return nil }
            defer { step += 1 }
            let samples = (step * 2400..<(step + 1) * 2400).map {
                Float(0.5 * sin(2 * Double.pi * 200 * Double($0) / 24_000))
            }
            return SpeechPiece(samples: samples, remaining: Double(99 - step) / 10)
        }
    }
}

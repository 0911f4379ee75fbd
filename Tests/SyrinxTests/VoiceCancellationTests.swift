import Playback
import Synchronization
import Testing

@testable import Syrinx

/// Law 7 with a voice, whose steps are left in progress: each way to ask for speech, each way to cancel it.
@Suite("Cancelling a voice", .serialized)
struct VoiceCancellationTests {
    /// A text of which little has been made when it is cancelled.
    private static let sentences: [[Int]] = (0..<40).flatMap { _ in TestVoices.sentences }
    private static let next = TestVoices.sentences

    private func options(_ workers: Int) -> GenerationOptions {
        GenerationOptions(seed: 5, concurrentWorkerCount: workers)
    }

    /// What the next request gives, without any cancellation before it.
    private func expected() async throws -> [Float] {
        try await SpeechSynthesizer(voice: try TestVoices.tiny()).generate(.ids(Self.next), options: options(1)).audio
    }

    private func checkNext(_ tts: SpeechSynthesizer, _ workers: Int) async throws {
        let result = try await tts.generate(.ids(Self.next), options: options(workers))
        #expect(result.finishReason == .finished)
        #expect(try await result.audio == expected())
    }

    /// Cancels the task once it has had so many calls of its callback.
    private func cancelled<Success: Sendable>(
        after calls: Int, _ body: @escaping @Sendable (@escaping SpeechCallback) async throws -> Success
    ) async {
        let count = Atomic<Int>(0)
        let task = Mutex<Task<Success, any Error>?>(nil)
        let started = Task {
            try await body { _ in
                if count.add(1, ordering: .relaxed).newValue == calls { task.withLock { $0?.cancel() } }
                return true
            }
        }
        task.withLock { $0 = started }
        // In case that it had its calls before it was known.
        if count.load(ordering: .relaxed) >= calls { started.cancel() }
        await #expect(throws: CancellationError.self) { try await started.value }
    }

    @Test(
        "generate: by callback it returns what was ready, by task it throws; the next gives the same as ever",
        arguments: [1, 2])
    func generate(workers: Int) async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny())
        let whole = try await tts.generate(.ids(Self.sentences), options: options(1)).audio
        for last in [1, 2, 5, 14] {
            let result = try await tts.generate(.ids(Self.sentences), options: options(workers)) {
                $0.stepsCompleted < last
            }
            #expect(result.finishReason == .cancelled)
            #expect(result.audio.count < whole.count / 4 && whole.starts(with: result.audio))
            try await checkNext(tts, workers)
            await cancelled(after: last) { [options] callback in
                try await tts.generate(.ids(Self.sentences), options: options(workers), callback: callback)
            }
            try await checkNext(tts, workers)
        }
    }

    @Test("stream: left or cancelled in the middle, the next gives the same as ever")
    func stream() async throws {
        let tts = SpeechSynthesizer(voice: try TestVoices.tiny())
        for last in [1, 2, 5, 14] {
            var taken = 0
            for try await _ in tts.stream(.ids(Self.sentences), options: options(2)) {
                taken += 1
                if taken == last { break }
            }
            try await checkNext(tts, 1)
            let task = Task { [options] in
                var taken = 0
                for try await _ in tts.stream(.ids(Self.sentences), options: options(2)) {
                    taken += 1
                    while taken == last, !Task.isCancelled { await Task.yield() }
                }
            }
            try await Task.sleep(nanoseconds: 5_000_000)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await checkNext(tts, 1)
        }
    }

    @Test(
        "play: by callback and by task it ends, the device is closed, and the next is heard sample for sample",
        arguments: [1, 2], [PlaybackStrategy.stream, .auto, .generateFirst])
    func play(workers: Int, strategy: PlaybackStrategy) async throws {
        for last in [1, 3, 8] {
            let sink = RecordingSink()
            let tts = SpeechSynthesizer(voice: try TestVoices.tiny(), audioOutput: AudioOutput(sink: sink))
            let result = try await tts.play(
                .ids(Self.sentences), options: options(workers), playbackStrategy: strategy
            ) { $0.stepsCompleted < last }
            #expect(result.finishReason == .cancelled)
            #expect(sink.opened == 1 && sink.closed == 1)
            #expect(tts.audioOutput.playbackState == .idle)
            await cancelled(after: last) { [options] callback in
                try await tts.play(
                    .ids(Self.sentences), options: options(workers), playbackStrategy: strategy, callback: callback)
            }
            #expect(sink.opened == 2 && sink.closed == 2)
            #expect(tts.audioOutput.playbackState == .idle)
            let before = sink.samples.count
            _ = try await tts.play(.ids(Self.next), options: options(workers), playbackStrategy: strategy)
            #expect(try await Array(sink.samples[before...]) == expected())
            #expect(sink.opened == 3 && sink.closed == 3)
        }
    }

    @Test("The workers of several sentences leave too: nobody holds their reader any longer", arguments: [2, 3])
    func workersLeave(workers: Int) async throws {
        let source = VoiceSpeechSource(voice: try TestVoices.tiny())
        for pieces in [0, 1, 7] {
            let cancellation = SpeechCancellation()
            weak var held: ParallelSpeechRenderer?
            do {
                let reader = try source.reader(
                    of: .ids(Self.sentences), options: options(workers), wantsAll: true, cancellation: cancellation)
                held = try #require(reader as? ParallelSpeechRenderer)
                for _ in 0..<pieces { #expect(try reader.next() != nil) }
                cancellation.cancel()
                #expect(throws: CancellationError.self) { try reader.next() }
            }
            for _ in 0..<10_000 where held != nil { try await Task.sleep(nanoseconds: 1_000_000) }
            #expect(held == nil)
        }
    }

    @Test("A renderer that is cancelled during a step or an encoder throws, and goes on throwing")
    func renderer() throws {
        let cancellation = SpeechCancellation()
        let renderer = try SpeechRenderer(
            voice: try TestVoices.tiny(), input: .ids(Self.sentences), options: options(1), workers: .alone,
            cancellation: cancellation)
        try renderer.prepare()
        _ = try renderer.next()
        cancellation.cancel()
        #expect(throws: CancellationError.self) { try renderer.next() }
        #expect(throws: CancellationError.self) { try renderer.next() }
        let late = try SpeechRenderer(
            voice: try TestVoices.tiny(), input: .ids(Self.sentences), options: options(1), workers: .alone,
            cancellation: cancellation)
        #expect(throws: CancellationError.self) { try late.prepare() }
    }
}

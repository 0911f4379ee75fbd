import DSP
import Foundation
import Playback
import Synchronization

/// Plays samples that are read from somewhere, on a thread of its own, as reading may block.
final class RecordingPlayer: Sendable {
    /// Seconds that are read ahead at most, but for a buffer that is larger.
    private static let furthestLead = 10.0

    private let output: AudioOutput
    private let buffer: Double
    private let isCancelled = Atomic<Bool>(false)
    private let handed = Atomic<Bool>(false)

    /// Whether any samples have been handed over: these are to be heard, whatever comes after them.
    var hasHandedOver: Bool { handed.load(ordering: .relaxed) }

    init(output: AudioOutput, buffer: Double) {
        self.output = output
        self.buffer = buffer
    }

    /// Runs `body`, which starts the output and hands samples over, and returns when their end has been heard.
    /// Cancelling the task fades out and returns, also while `body` waits for input.
    func play<Result: Sendable>(_ body: @escaping @Sendable (RecordingPlayer) throws -> Result) async throws -> Result {
        let pending = Pending<Result>()
        do {
            let result = try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    pending.wait(continuation)
                    Thread { pending.resume(with: Swift.Result { try body(self) }) }.start()
                }
            } onCancel: {
                isCancelled.store(true, ordering: .relaxed)
                pending.resume(with: .failure(CancellationError()))
            }
            await output.stopPlayback()
            if let failure = output.failure { throw failure }
            return result
        } catch {
            await output.stopPlayback(waitForCompletion: false)
            throw error
        }
    }

    func start(sampleRate: Int) throws {
        // A recording has the ends that it has: what is heard is what was saved.
        try output.startPlayback(strategy: .buffered(seconds: buffer), sampleRate: sampleRate, fadesEnds: false)
    }

    /// Reads until the end, mixes the channels to one and hands the samples over.
    func hand(
        over channels: Int, _ read: (inout MutableSpan<Float>) throws(AudioFileError) -> Int
    ) throws {
        let frames = 1024
        var block = [Float](repeating: 0, count: frames * channels)
        while !isCancelled.load(ordering: .relaxed) {
            var span = block.mutableSpan
            let count = try read(&span)
            guard count > 0 else { break }
            let mono = (0..<count).map { frame in
                block[(frame * channels)..<((frame + 1) * channels)].reduce(0, +) / Float(channels)
            }
            try output.enqueueAudioChunk(mono)
            handed.store(true, ordering: .relaxed)
            while output.lead > max(Self.furthestLead, buffer), output.silentBufferRemaining == 0,
                !isCancelled.load(ordering: .relaxed)
            { Thread.sleep(forTimeInterval: 0.02) }
        }
    }
}

/// A continuation that is resumed once, by whoever comes first.
private final class Pending<Result: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Result, any Error>?
        var early: Swift.Result<Result, any Error>?
    }
    private let state = Mutex(State())

    func wait(_ continuation: CheckedContinuation<Result, any Error>) {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(with: early) }
    }

    func resume(with result: Swift.Result<Result, any Error>) {
        let waiting = state.withLock { state in
            if state.early == nil { state.early = result }
            return state.continuation.take()
        }
        waiting?.resume(with: result)
    }
}

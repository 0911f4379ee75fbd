import Foundation

/// Hands chunks from a request's thread to a task: a short queue whose sender waits while it is full.
final class SpeechChannel: @unchecked Sendable {
    // SAFETY: everything that changes is read and written with `condition` locked.
    static let capacity = 2

    let cancellation = SpeechCancellation()
    private let condition = NSCondition()
    private var chunks: [SpeechProgress] = []
    private var ending: Result<Void, any Error>?
    private var waiting: CheckedContinuation<SpeechProgress?, any Error>?

    init() {
        cancellation.onCancel { [weak self] in self?.finish(.failure(CancellationError())) }
    }

    // MARK: The request's thread

    /// Waits for room and queues a chunk. False once the request has been cancelled.
    func send(_ chunk: SpeechProgress) -> Bool {
        condition.lock()
        while chunks.count >= Self.capacity, ending == nil { condition.wait() }
        guard ending == nil else {
            condition.unlock()
            return false
        }
        let receiver = waiting.take()
        if receiver == nil { chunks.append(chunk) }
        condition.unlock()
        receiver?.resume(returning: chunk)
        return true
    }

    /// Ends the sequence, after the chunks that are queued, or at once if cancelled. The first end counts.
    func finish(_ result: Result<Void, any Error>) {
        condition.lock()
        if ending == nil { ending = result }
        if cancellation.isCancelled { chunks = [] }
        let receiver = chunks.isEmpty ? waiting.take() : nil
        let end = ending ?? result
        // An error is thrown once.
        if receiver != nil { ending = .success(()) }
        condition.broadcast()
        condition.unlock()
        receiver?.resume(with: end.map { nil })
    }

    // MARK: The task

    func next() async throws -> SpeechProgress? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in take(for: continuation) }
        } onCancel: {
            cancellation.cancel()
        }
    }

    private func take(for continuation: CheckedContinuation<SpeechProgress?, any Error>) {
        condition.lock()
        var answer: Result<SpeechProgress?, any Error>?
        if !chunks.isEmpty {
            answer = .success(chunks.removeFirst())
            condition.broadcast()
        } else if let ending {
            answer = ending.map { nil }
            // An error is thrown once.
            self.ending = .success(())
        } else {
            waiting = continuation
        }
        condition.unlock()
        if let answer { continuation.resume(with: answer) }
    }
}

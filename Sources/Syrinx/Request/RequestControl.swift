import Synchronization

/// Binds a request that runs on its own thread to the task that waits for it.
///
/// Cancelling the task ends its wait at once, or, if news is being delivered at that moment, when that is done:
/// after the wait nothing more is delivered. The thread itself finds out within a part of a step.
final class RequestControl: Sendable {
    private struct State {
        var continuation: CheckedContinuation<SpeechResult, any Error>?
        var isDelivering = false
        var isCancelled = false
    }

    let cancellation = SpeechCancellation()
    private let state = Mutex(State())

    /// Runs `body` on a thread of its own and waits for its result.
    ///
    /// - Throws: what `body` throws, or `CancellationError` if the task was cancelled first.
    func run(_ body: @escaping @Sendable (RequestControl) throws -> SpeechResult) async throws -> SpeechResult {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let begins = state.withLock { state in
                    if !state.isCancelled { state.continuation = continuation }
                    return !state.isCancelled
                }
                guard begins else { return continuation.resume(throwing: CancellationError()) }
                startSpeechThread(name: "speech") { self.finish(Result { try body(self) }) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Runs `body`, which may reach the caller's code or the device, unless the task has been cancelled.
    ///
    /// - Throws: `CancellationError` if it has been, and what `body` throws.
    func deliver<Result>(_ body: () throws -> Result) throws -> Result {
        try state.withLock { state in
            if state.isCancelled { throw CancellationError() }
            state.isDelivering = true
        }
        defer { endDelivery() }
        return try body()
    }

    private func endDelivery() {
        let waiting = state.withLock { state -> CheckedContinuation<SpeechResult, any Error>? in
            state.isDelivering = false
            return state.isCancelled ? state.continuation.take() : nil
        }
        waiting?.resume(throwing: CancellationError())
    }

    private func cancel() {
        let waiting = state.withLock { state -> CheckedContinuation<SpeechResult, any Error>? in
            state.isCancelled = true
            return state.isDelivering ? nil : state.continuation.take()
        }
        cancellation.cancel()
        waiting?.resume(throwing: CancellationError())
    }

    private func finish(_ result: Result<SpeechResult, any Error>) {
        // What other threads of the request are doing is of no more use.
        cancellation.cancel()
        let waiting = state.withLock { $0.continuation.take() }
        waiting?.resume(with: result)
    }
}

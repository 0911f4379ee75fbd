import Synchronization
import Tensor

/// Tells the parts of one request that it is over early. Never taken back.
public final class SpeechCancellation: Sendable {
    /// What the model looks at between two tasks.
    let flag = CancelFlag()
    private let handlers = Mutex<[@Sendable () -> Void]>([])

    /// Of a request that goes on.
    public init() {}

    /// Whether the request has been cancelled. Costs next to nothing.
    public var isCancelled: Bool { flag.isSet }

    /// - Throws: `CancellationError` once the request has been cancelled.
    public func check() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Calls `handler` once when the request is cancelled: at once if it has been, never if it is not. For what
    /// waits and must be woken.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
        let isLate = handlers.withLock { handlers in
            if isCancelled { return true }
            handlers.append(handler)
            return false
        }
        if isLate { handler() }
    }

    /// Cancels the request.
    public func cancel() {
        let waiting = handlers.withLock { handlers in
            flag.set()
            defer { handlers = [] }
            return handlers
        }
        for handler in waiting { handler() }
    }
}

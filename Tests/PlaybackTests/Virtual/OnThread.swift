import Foundation

/// Runs what blocks on a thread of its own: the tasks' threads are as few as the processors.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: body()) }.start()
    }
}

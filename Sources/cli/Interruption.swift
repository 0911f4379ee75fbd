import Glibc
import Synchronization

/// Ctrl-C, or a request to end: noticed between two steps, so that sound ends with a fade and files are not left half
/// written. A second one ends the program at once.
struct Interruption: Error {
    /// The first signal that came.
    let signal: Int32

    /// What shells expect of a program that a signal ended: 130 for Ctrl-C, 143 for a request to end, 129 for a
    /// terminal that was closed.
    var exitStatus: Int32 { 128 + signal }

    /// The number of the first signal, 0 before it.
    private static let received = Atomic<Int32>(0)

    /// Starts to listen, but for signals that whoever started the program has it ignore, as `nohup` does.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            Glibc.signal(number) { number in
                _ = Interruption.received.compareExchange(expected: 0, desired: number, ordering: .relaxed)
                Glibc.signal(number, SIG_DFL)
            }
        }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a function pointer without context, read as its address; SIG_IGN is the address 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// - Throws: `Interruption`, once one has been requested.
    static func check() throws {
        let number = received.load(ordering: .relaxed)
        if number != 0 { throw Interruption(signal: number) }
    }

    /// Runs `body` in a task that an interruption cancels.
    ///
    /// - Throws: `Interruption` if there was one, else what `body` throws.
    static func stopping<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        watch()
        let work = Task { try await body() }
        let watcher = Task {
            while received.load(ordering: .relaxed) == 0 { try await Task.sleep(nanoseconds: 5_000_000) }
            work.cancel()
        }
        defer { watcher.cancel() }
        do {
            let result = try await work.value
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }
}

import Glibc
import Synchronization

/// Ctrl-C, or a request to end: noticed between two steps, so that sound ends with a fade and files are not left half
/// written. A second one ends the program at once.
struct Interruption: Error {
    /// What shells expect of a program that Ctrl-C ended.
    static let exitStatus: Int32 = 130

    private static let isRequested = Atomic<Bool>(false)

    /// Starts to listen, but for signals that whoever started the program has it ignore, as `nohup` does.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
            signal(number) { received in
                Interruption.isRequested.store(true, ordering: .relaxed)
                signal(received, SIG_DFL)
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
        if isRequested.load(ordering: .relaxed) { throw Interruption() }
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
            while !isRequested.load(ordering: .relaxed) { try await Task.sleep(nanoseconds: 5_000_000) }
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

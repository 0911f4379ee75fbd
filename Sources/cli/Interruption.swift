import DSP
import Glibc
import Synchronization

/// Ctrl-C, or a request to end. One is enough, whatever the program is doing: work that has something to finish, as
/// sound has to fade out, is told to stop and has a moment for it; anything else ends at once, also while it waits for
/// a pipe that says nothing. No file is left half written. A second one of the same kind ends the program on the spot.
struct Interruption: Error {
    /// The first signal that came.
    let signal: Int32

    /// What shells expect of a program that a signal ended: 130 for Ctrl-C, 143 for a request to end, 129 for a
    /// terminal that was closed.
    var exitStatus: Int32 { 128 + signal }

    /// Microseconds that work has to stop: a fade takes 50 ms, and a slow machine is in the middle of a step.
    private static let patience: UInt32 = 700_000

    /// The number of the first signal, 0 before it.
    private static let received = Atomic<Int32>(0)
    /// Raised by the handler, which may call next to nothing else; a thread waits for it.
    // SAFETY: written once, before there is a handler, and a semaphore from then on.
    private nonisolated(unsafe) static let arrival: UnsafeMutablePointer<sem_t> = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()
    /// Tells the work to stop, where it has something to finish.
    private static let stop = Mutex<(@Sendable () -> Void)?>(nil)
    /// Whether the program is ending already.
    private static let isEnding = Atomic<Bool>(false)

    /// Starts to listen, but for signals that whoever started the program has it ignore, as `nohup` does.
    static func watch() {
        let numbers = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
        guard !numbers.isEmpty else { return }
        // Made here, so that the handler makes nothing.
        _ = arrival
        _ = received.load(ordering: .relaxed)
        var thread = pthread_t()
        let started = pthread_create(&thread, nil, { _ in Interruption.wait() }, nil)
        // Without a thread to notice it, a signal does what it does to any program.
        guard started == 0 else { return }
        var action = sigaction()
        // Async-signal-safe: an atomic, and a call that POSIX lists.
        action.__sigaction_handler.sa_handler = { number in
            let code = errno
            _ = Interruption.received.compareExchange(expected: 0, desired: number, ordering: .relaxed)
            sem_post(Interruption.arrival)
            errno = code
        }
        // System calls go on: libraries that know nothing of this are not disturbed.
        action.sa_flags = SA_RESTART | Int32(bitPattern: UInt32(SA_RESETHAND))
        for number in numbers { sigaction(number, &action, nil) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(number, nil, &action) == 0 else { return false }
        // SAFETY: a function pointer without context, read as its address; SIG_IGN is the address 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }

    /// The thread that ends the program if nobody else does.
    private static func wait() -> Never {
        while sem_wait(arrival) != 0 {}
        let stop = stop.withLock { $0 }
        if let stop {
            stop()
            usleep(patience)
        }
        Interruption(signal: received.load(ordering: .relaxed)).end()
    }

    /// - Throws: `Interruption`, once one has been requested.
    private static func check() throws {
        let number = received.load(ordering: .relaxed)
        if number != 0 { throw Interruption(signal: number) }
    }

    /// Runs `body` in a task that an interruption cancels, and that has a moment to end then.
    ///
    /// - Throws: `Interruption` if there was one, else what `body` throws.
    static func stopping<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let work = Task { try await body() }
        stop.withLock { $0 = { work.cancel() } }
        defer { stop.withLock { $0 = nil } }
        do {
            let result = try await work.value
            try check()
            return result
        } catch {
            try check()
            throw error
        }
    }

    /// Ends the program: files that are not complete go, and a line says so.
    func end() -> Never {
        // One of two threads may come here: the other is to wait for the end.
        while Self.isEnding.exchange(true, ordering: .relaxed) { pause() }
        OutputFile.discardAll {
            // Whoever does not read what is said must not keep the program.
            var standardError = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
            if poll(&standardError, 1, 0) > 0 { Terminal.report("stopped") }
            _exit(exitStatus)
        }
    }
}

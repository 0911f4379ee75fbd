import Foundation

/// A program that runs beside the tests.
///
/// Not Foundation's `Process`: its one thread for all processes waits for the first one that closes what it has
/// inherited, which a sound server does when it starts. For as long as the server ran, no other test would see its
/// own programs end.
final class ChildProcess: Sendable {
    struct DoesNotStart: Error, CustomStringConvertible {
        var program: String
        var code: Int32
        var description: String { "\(program) does not start: \(String(cString: strerror(code)))" }
    }

    private let id: pid_t

    /// - Parameter output: the descriptor that becomes the program's standard output; nil for none.
    init(_ program: String, _ arguments: [String], environment: [String: String], output: Int32? = nil) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        if let output { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
        // What other tests have open is not kept open by this one.
        for descriptor in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(
            Int32.init)
        where descriptor > STDERR_FILENO {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }

        // Threads of tasks have signals blocked; the program has not.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var words = ([program] + arguments).map { strdup($0) }
        var settings = environment.map { strdup("\($0.key)=\($0.value)") }
        defer { for text in words + settings { free(text) } }
        words.append(nil)
        settings.append(nil)
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &actions, &attributes, words, settings)
        guard code == 0 else { throw DoesNotStart(program: program, code: code) }
        self.id = id
    }

    /// Ends the program. May be called again, and from any thread.
    func end() { kill(id, SIGKILL) }

    /// Once, at last: frees its number.
    func reap() {
        end()
        var status: Int32 = 0
        while waitpid(id, &status, 0) == -1, errno == EINTR {}
    }

    deinit { reap() }
}

import Glibc
import Synchronization

/// Ctrl-C, or a request to end: noticed between two steps, so that files are not left half written.
/// A second one ends the program at once.
struct Interruption: Error {
    /// What shells expect of a program that Ctrl-C ended.
    static let exitStatus: Int32 = 130

    private static let isRequested = Atomic<Bool>(false)

    /// Starts to listen.
    static func watch() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number) { received in
                Interruption.isRequested.store(true, ordering: .relaxed)
                signal(received, SIG_DFL)
            }
        }
    }

    /// - Throws: `Interruption`, once one has been requested.
    static func check() throws {
        if isRequested.load(ordering: .relaxed) { throw Interruption() }
    }
}

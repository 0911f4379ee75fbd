import Arguments

/// What stops a command, in one line, and the exit code that it gives.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    let exitStatus: ExitStatus

    init(_ description: String, _ exitStatus: ExitStatus) {
        self.description = description
        self.exitStatus = exitStatus
    }
}

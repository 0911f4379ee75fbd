import Foundation

/// A program of the system that says what a file holds, independently of the code under test.
struct Tool {
    let path: String

    /// `nil` where it is not installed.
    init?(_ name: String) {
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let folders = search.split(separator: ":")
        guard
            let folder = folders.first(where: {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(name)")
            })
        else { return nil }
        path = "\(folder)/\(name)"
    }

    static func isInstalled(_ name: String) -> Bool { Tool(name) != nil }

    /// Runs to the end and returns the status and everything printed on both outputs.
    func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}

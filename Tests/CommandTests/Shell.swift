import Foundation

/// Runs the built `syrinx` as a shell would.
struct Shell {
    struct Result {
        let status: Int32
        let output: Data
        let errors: String
    }

    /// The folder of the built programs: that of the test bundle.
    static let programs: URL = {
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent()
    }()

    static func run(
        _ arguments: [String], program: String = "syrinx", executable: String? = nil, input: Data? = nil,
        environment: [String: String] = [:]
    ) throws -> Result {
        let process = prepared(arguments, program, environment)
        if let executable { process.executableURL = URL(fileURLWithPath: executable) }
        let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = stdin
        try process.run()
        if let input { try? stdin.fileHandleForWriting.write(contentsOf: input) }
        try? stdin.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: bytes, errors: text)
    }

    /// Starts it without waiting for its end; its streams are nobody's unless they are given.
    static func start(
        _ arguments: [String], program: String = "syrinx", input: Any = FileHandle.nullDevice,
        output: Any = FileHandle.nullDevice, errors: Any = FileHandle.nullDevice, folder: URL? = nil,
        environment: [String: String] = [:]
    ) throws -> Process {
        let process = prepared(arguments, program, environment)
        if let folder { process.currentDirectoryURL = folder }
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        return process
    }

    private static func prepared(_ arguments: [String], _ program: String, _ environment: [String: String]) -> Process {
        let process = Process()
        process.executableURL = programs.appendingPathComponent(program)
        process.arguments = arguments
        var variables = ProcessInfo.processInfo.environment
        if let voice = variables["SYRINX_TEST_VOICE"] {
            variables["SYRINX_VOICES"] = URL(fileURLWithPath: voice).deletingLastPathComponent().path
        }
        variables.merge(environment) { $1 }
        process.environment = variables
        return process
    }

    /// A new empty folder.
    static func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("syrinx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }
}

import Arguments
import Foundation
import Glibc

/// Where a command's text comes from: its arguments, a file, or standard input.
enum TextSource {
    static let words = Parameter.arguments(
        "TEXT", as: .text, help: "the text; several arguments are joined with spaces, - alone is standard input")
    static let file = Parameter.option(
        "file", short: "f", as: .path, help: "read the text from a file, - for standard input")

    /// The text that was asked for. Bytes that are not UTF-8 become U+FFFD; a byte order mark is dropped.
    static func text(_ arguments: ParsedArguments) throws -> String {
        let words = arguments[words]
        if let path = arguments[file] {
            guard words.isEmpty else { throw arguments.usageError("--file and a text exclude each other") }
            return decode(try path == "-" ? standardInput() : contents(of: path))
        }
        if words == ["-"] { return decode(try standardInput()) }
        if !words.isEmpty { return words.joined(separator: " ") }
        guard isatty(STDIN_FILENO) == 0 else {
            throw arguments.usageError("there is no text; give it as an argument, with --file, or through a pipe")
        }
        return decode(try standardInput())
    }

    private static func decode(_ data: Data) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(decoding: data.starts(with: mark) ? data.dropFirst(3) : data, as: UTF8.self)
    }

    private static func contents(of path: String) throws -> Data {
        let data: Data
        do {
            data = try beginning(of: FileHandle(forReadingFrom: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFailure("cannot read the text file \(path): \(reason(path))", .noInput)
        }
        return try checked(data)
    }

    private static func standardInput() throws -> Data {
        let data: Data
        do { data = try beginning(of: .standardInput) } catch {
            throw CommandFailure("cannot read the text: \(error.localizedDescription)", .inputOutput)
        }
        return try checked(data)
    }

    /// Bytes of a text: some weeks of speech. What never ends must not fill the memory.
    private static let longest = 64 << 20

    /// All there is, or a little more than a text may have.
    private static func beginning(of handle: FileHandle) throws -> Data {
        var data = Data()
        while data.count <= longest, let part = try handle.read(upToCount: 1 << 16), !part.isEmpty { data += part }
        return data
    }

    private static func checked(_ data: Data) throws -> Data {
        guard data.count <= longest else {
            throw CommandFailure("the text is longer than \(longest >> 20) MiB; divide it", .badData)
        }
        return data
    }

    private static func reason(_ path: String) -> String {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return "there is no such file"
        }
        return isDirectory.boolValue ? "it is a folder" : "permission denied"
    }
}

import Arguments
import Foundation
import Glibc

/// Where a command's text comes from: its arguments, a file, or standard input.
enum TextSource {
    static let words = Parameter.arguments(
        "TEXT", as: .text, help: "the text; several arguments are joined with spaces")
    static let file = Parameter.option(
        "file", short: "f", as: .path, help: "read the text from a file, - for standard input")

    /// The text that was asked for. Bytes that are not UTF-8 become U+FFFD; a byte order mark is dropped.
    static func text(_ arguments: ParsedArguments) throws -> String {
        let words = arguments[words]
        if let path = arguments[file] {
            guard words.isEmpty else { throw arguments.usageError("--file and a text exclude each other") }
            return decode(try path == "-" ? read(.standardInput) : contents(of: path))
        }
        if !words.isEmpty { return words.joined(separator: " ") }
        guard isatty(STDIN_FILENO) == 0 else {
            throw arguments.usageError("there is no text; give it as an argument, with --file, or through a pipe")
        }
        return decode(try read(.standardInput))
    }

    private static func decode(_ data: Data) -> String {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return String(decoding: data.starts(with: mark) ? data.dropFirst(3) : data, as: UTF8.self)
    }

    private static func contents(of path: String) throws -> Data {
        do {
            return try read(FileHandle(forReadingFrom: URL(fileURLWithPath: path)))
        } catch {
            throw CommandFailure("cannot read the text file \(path): \(reason(path))", .noInput)
        }
    }

    private static func read(_ handle: FileHandle) throws -> Data {
        do { return try handle.readToEnd() ?? Data() } catch {
            throw CommandFailure("cannot read the text: \(error.localizedDescription)", .inputOutput)
        }
    }

    private static func reason(_ path: String) -> String {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            return "there is no such file"
        }
        return isDirectory.boolValue ? "it is a folder" : "permission denied"
    }
}

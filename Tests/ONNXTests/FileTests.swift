import Foundation
import Glibc
import Testing

@testable import ONNX

@Suite("Files that cannot be a model")
struct FileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("onnx-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func remove() { try? FileManager.default.removeItem(at: folder) }

    private func error(_ path: String) -> ONNXError? {
        do throws(ONNXError) {
            _ = try ONNXModel(contentsOf: path)
            return nil
        } catch { return error }
    }

    @Test("a missing file says so with its path")
    func missing() {
        defer { remove() }
        let path = folder.path + "/none.onnx"
        #expect(error(path) == .unreadable(file: path, code: ENOENT))
        #expect(error(path)?.description == "cannot read \"\(path)\": No such file or directory")
    }

    @Test("a directory, a device and a pipe that nobody writes to are refused at once")
    func irregular() throws {
        defer { remove() }
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for path in [folder.path, "/dev/null", pipe] {
            #expect(error(path) == .notARegularFile(file: path))
        }
    }

    @Test("an empty file is named")
    func empty() throws {
        defer { remove() }
        let path = folder.path + "/empty.onnx"
        try Data().write(to: URL(fileURLWithPath: path))
        #expect(error(path) == .emptyFile(file: path))
        #expect(throws: ONNXError.emptyFile(file: "x")) { try ONNXModel(bytes: [], name: "x") }
    }

    @Test("a path with a NUL byte is not cut there")
    func nul() {
        defer { remove() }
        let path = Golden.path("kinds") + "\0.onnx"
        #expect(error(path) == .unreadable(file: path, code: EINVAL))
    }

    @Test("a file without permission is unreadable", .enabled(if: geteuid() != 0, "root may read all"))
    func forbidden() throws {
        defer { remove() }
        let path = folder.path + "/secret.onnx"
        try Data([1]).write(to: URL(fileURLWithPath: path))
        chmod(path, 0)
        #expect(error(path) == .unreadable(file: path, code: EACCES))
    }

    @Test("a file whose name has a line break makes a one-line message")
    func oneLine() {
        defer { remove() }
        #expect(error("/no\nsuch\u{1B}[31m")?.description.contains { $0 == "\n" || $0 == "\u{1B}" } == false)
    }

    @Test("files of other kinds are refused", arguments: ["text", "zip", "zeros", "ones"])
    func otherKinds(kind: String) throws {
        defer { remove() }
        let contents: [UInt8] =
            switch kind {
            case "text": Array("version https://git-lfs.example/spec/v1\noid sha256:58af\nsize 63\n".utf8)
            case "zip": [0x50, 0x4B, 0x03, 0x04] + [UInt8](repeating: 7, count: 200)
            case "zeros": [UInt8](repeating: 0, count: 10_000)
            default: [UInt8](repeating: 0xFF, count: 10_000)
            }
        let path = folder.path + "/other.onnx"
        try Data(contents).write(to: URL(fileURLWithPath: path))
        guard case .refused(let place, _) = error(path) else {
            Issue.record("\(kind): \(String(describing: error(path)))")
            return
        }
        #expect(place.file == path)
    }
}

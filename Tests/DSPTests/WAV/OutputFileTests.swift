import Foundation
import Testing

@testable import DSP

@Suite("Files that appear only when they are complete")
struct OutputFileTests {
    private let samples = [Float](repeating: 0.5, count: 100_000)

    @Test("Before the end there is nothing to see, afterwards the file and nothing else")
    func appearsWhole() throws {
        let folder = try TemporaryFolder()
        var writer = try WAVWriter(path: folder("a.wav"), sampleRate: 8_000)
        try writer.step(samples.span)
        #expect(!folder.names.contains("a.wav"))
        try writer.finish()
        #expect(folder.names == ["a.wav"])
        #expect(try bytes(of: folder("a.wav")).count == 200_044)
    }

    @Test("Cancelled or forgotten, the old file stays and nothing is left")
    func cancelled() throws {
        let folder = try TemporaryFolder()
        try write([1, 2, 3], to: folder("a.wav"))
        var cancelled = try WAVWriter(path: folder("a.wav"), sampleRate: 8_000)
        try cancelled.step(samples.span)
        cancelled.cancel()
        do {
            var forgotten = try WAVWriter(path: folder("a.wav"), sampleRate: 8_000)
            try forgotten.step(samples.span)
        }
        #expect(folder.names == ["a.wav"])
        #expect(try bytes(of: folder("a.wav")) == [1, 2, 3])
    }

    @Test("A new file has the permissions that the process gives, a replaced one keeps its own")
    func permissions() throws {
        let folder = try TemporaryFolder()
        func mode(_ name: String) -> mode_t {
            var status = stat()
            stat(folder(name), &status)
            return status.st_mode & 0o7777
        }
        try write([], to: folder("plain"))
        try write([], to: folder("old"))
        chmod(folder("old"), 0o640)
        try WAVWriter.write([0], to: folder("new"), sampleRate: 8_000)
        try WAVWriter.write([0], to: folder("old"), sampleRate: 8_000)
        #expect(mode("new") == mode("plain"))
        #expect(mode("old") == 0o640)
    }

    @Test("A symbolic link stays one, and the file that it points to is replaced or made")
    func symbolicLinks() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("sub"), withIntermediateDirectories: true)
        try write([1], to: folder("sub/old"))
        for name in ["old", "new"] {
            symlink("sub/\(name)", folder("to-\(name)"))
            try WAVWriter.write([0], to: folder("to-\(name)"), sampleRate: 8_000)
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: folder("to-\(name)"))
                    == "sub/\(name)")
            #expect(try bytes(of: folder("sub/\(name)")).count == 46)
        }
        #expect(folder.names == ["sub", "to-new", "to-old"])
    }

    @Test("Names without a folder, with spaces, with other letters and of the longest length work")
    func names() throws {
        let folder = try TemporaryFolder()
        for name in ["ä ö\tü.wav", "-", "--help", String(repeating: "x", count: 255)] {
            try WAVWriter.write([0], to: folder(name), sampleRate: 8_000)
            #expect(try bytes(of: folder(name)).count == 46)
        }
        let name = "syrinx-\(UUID().uuidString).wav"
        try WAVWriter.write([0], to: name, sampleRate: 8_000)
        #expect(unlink(name) == 0)
    }

    @Test("What cannot be made is said in one line with the path and the reason")
    func cannotCreate() throws {
        let folder = try TemporaryFolder()
        try write([], to: folder("file"))
        let cases: [(path: String, code: Int32, words: String)] = [
            (folder("missing/a.wav"), ENOENT, "no such file or folder"),
            (folder.path, EISDIR, "it is a folder"),
            (folder("file/a.wav"), ENOTDIR, "not a folder"),
            (folder(String(repeating: "x", count: 256)), ENAMETOOLONG, "too long"),
        ]
        for (path, code, words) in cases {
            let error = #expect(throws: AudioFileError.self) {
                try WAVWriter.write([0], to: path, sampleRate: 8_000)
            }
            #expect(error == .cannotCreate(name: path, code: code))
            #expect(error?.description.hasPrefix("cannot create \(path): ") == true)
            #expect(error?.description.contains(words) == true)
        }
        #expect(throws: AudioFileError.self) { try WAVWriter.write([0], to: "", sampleRate: 8_000) }
        #expect(throws: AudioFileError.self) { try WAVWriter.write([0], to: "a\0b", sampleRate: 8_000) }
        #expect(folder.names == ["file"])
    }

    @Test("A folder or file that may not be written is refused", .disabled(if: geteuid() == 0, "root may"))
    func permissionDenied() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("closed"), withIntermediateDirectories: true)
        try write([1], to: folder("fixed"))
        chmod(folder("closed"), 0o555)
        chmod(folder("fixed"), 0o444)
        for name in ["closed/a.wav", "fixed"] {
            #expect(throws: AudioFileError.cannotCreate(name: folder(name), code: EACCES)) {
                try WAVWriter.write([0], to: folder(name), sampleRate: 8_000)
            }
        }
        #expect(try bytes(of: folder("fixed")) == [1])
    }

    @Test("A full disk is an error with one clear line")
    func fullDisk() {
        let error = #expect(throws: AudioFileError.self) {
            try WAVWriter.write(samples, to: "/dev/full", sampleRate: 8_000)
        }
        #expect(error == .cannotWrite(name: "/dev/full", code: ENOSPC))
        #expect(error?.description == "cannot write /dev/full: the disk is full")
    }

    @Test("A pipe that nobody reads any more is an error and does not end the process")
    func closedPipe() throws {
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        for _ in 0..<2 {
            #expect(throws: AudioFileError.cannotWrite(name: "standard output", code: EPIPE)) {
                var writer = try WAVWriter(
                    fileDescriptor: descriptor, name: "standard output", sampleRate: 8_000)
                try writer.step(samples.span)
                try writer.finish()
            }
        }
        var pending = sigset_t()
        sigpending(&pending)
        #expect(sigismember(&pending, SIGPIPE) == 0)
    }

    @Test("A pipe that does not block is waited for")
    func nonBlockingPipe() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let reader = pipe.fileHandleForReading
        let received = Received()
        let thread = Thread {
            usleep(20_000)
            received.set(reader.readDataToEndOfFile())
        }
        thread.start()
        var writer = try WAVWriter(fileDescriptor: descriptor, name: "pipe", sampleRate: 8_000)
        try writer.step(samples.span)
        try writer.finish()
        try pipe.fileHandleForWriting.close()
        #expect(received.wait().count == 200_044)
    }
}

/// What another thread received.
private final class Received: @unchecked Sendable {
    private let condition = NSCondition()
    private var data: Data?

    func set(_ data: Data) {
        condition.withLock { self.data = data }
        condition.signal()
    }

    func wait() -> Data {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let data { return data }
            condition.wait()
        }
    }
}

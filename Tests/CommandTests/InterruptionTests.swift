import Foundation
import Glibc
import Testing

@Suite("One Ctrl-C")
struct InterruptionTests {
    private static let signals: [(Int32, Int32)] = [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)]

    /// Whether the program has a handler of its own for the signal by now.
    private func isCaught(_ signal: Int32, by process: Process) -> Bool {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
        let mask =
            line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) } ?? 0
        return mask >> UInt64(signal - 1) & 1 == 1
    }

    /// Sends one signal once the program has come to where it waits, and gives its end, or nil if there is none.
    private func interrupt(_ process: Process, _ signal: Int32) throws -> Int32? {
        for _ in 0..<500 where process.isRunning && !isCaught(signal, by: process) {
            Thread.sleep(forTimeInterval: 0.01)
        }
        Thread.sleep(forTimeInterval: 0.3)
        kill(process.processIdentifier, signal)
        for _ in 0..<1000 where process.isRunning { Thread.sleep(forTimeInterval: 0.01) }
        guard !process.isRunning else {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            return nil
        }
        return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    }

    /// Starts the command anew for each signal, with nobody at the other end of its pipes: it says that it stopped, and
    /// ends with the signal's status.
    private func check(_ arguments: [String], in devices: SoundDevices, afterEach: () throws -> Void = {}) throws {
        for (signal, status) in Self.signals {
            let (silence, output, errors) = (Pipe(), Pipe(), Pipe())
            let process = try Shell.start(
                arguments, input: silence, output: output, errors: errors, folder: devices.folder,
                environment: devices.environment)
            #expect(try interrupt(process, signal) == status, "\(signal)")
            try silence.fileHandleForWriting.close()
            try output.fileHandleForReading.close()
            let line = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(line == "syrinx: stopped\n")
            try afterEach()
        }
    }

    @Test(
        "ends a command that waits for a silent pipe, says so, and leaves no file",
        arguments: [
            ["say", "-o", "x.wav"], ["say", "--save", "x.wav"], ["phonemes"], ["convert", "-", "x.wav"],
            ["convert", "-", "x.wav", "--raw-rate", "8000"], ["play", "-"], ["play", "--raw", "-"],
            ["play", "--raw", "--base64", "-"], ["convert", "pipe", "x.wav"],
            ["say", "-f", "pipe", "-o", "x.wav"],
        ])
    func reading(arguments: [String]) throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        mkfifo(devices.path("pipe"), 0o600)
        try check(arguments, in: devices) {
            let names = try FileManager.default.contentsOfDirectory(atPath: devices.folder.path)
            #expect(names.sorted().filter { $0 != "captured.raw" } == ["asound.conf", "pipe"])
        }
    }

    @Test("ends a command that waits for somebody to read its message")
    func message() throws {
        let empty = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: empty) }
        for (signal, status) in Self.signals {
            let errors = Pipe()
            let end = errors.fileHandleForWriting.fileDescriptor
            let flags = fcntl(end, F_GETFL)
            _ = fcntl(end, F_SETFL, flags | O_NONBLOCK)
            while write(end, "full", 1) == 1 {}
            _ = fcntl(end, F_SETFL, flags)
            let process = try Shell.start(
                ["voices"], errors: errors, environment: ["SYRINX_VOICES": "", "XDG_DATA_HOME": empty.path])
            #expect(try interrupt(process, signal) == status, "\(signal)")
        }
    }

    @Test(
        "ends a command that waits for a reader",
        arguments: [
            ["say", "-f", "long.txt", "-o", "-"],
            ["convert", "long.txt", "-", "--raw-rate", "8000", "-e", "f64"],
            ["say", "Hello.", "-o", "pipe"], ["convert", "long.txt", "pipe", "--raw-rate", "8000"],
        ])
    func writing(arguments: [String]) throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        mkfifo(devices.path("pipe"), 0o600)
        try Data(String(repeating: "This is one of many sentences. ", count: 5000).utf8).write(
            to: devices.folder.appendingPathComponent("long.txt"))
        try check(arguments, in: devices)
    }
}

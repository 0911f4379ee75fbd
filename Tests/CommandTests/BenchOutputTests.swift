import Foundation
import Glibc
import Testing

@Suite("What tts-bench run writes")
struct BenchOutputTests {
    private static let voice = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/voices/tiny-medium.onnx").path

    @Test("A pipe in the place of a report is written to, a link's target too, and neither is replaced")
    func outputs() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Shell.programs.appendingPathComponent("tts-bench").path
        let run = try Shell.run(
            [
                "-c",
                """
                cd '\(folder.path)' && echo 1 0 5 0 2 > ids && mkfifo pipe && echo old > target && ln -s target link
                timeout 60 cat pipe > copy &
                '\(bench)' run --voice '\(Self.voice)' --ids ids --threads 1 --runs 1 --processes 1 \
                    --json pipe --report link > table && wait && test -p pipe && test -L link
                """,
            ], executable: "/bin/bash")
        #expect(run.status == 0, "\(run.errors)")
        let json = try Data(contentsOf: folder.appendingPathComponent("copy"))
        #expect(try JSONSerialization.jsonObject(with: json) is [String: Any])
        let page = try String(contentsOf: folder.appendingPathComponent("target"), encoding: .utf8)
        #expect(page.contains("<html"))
    }

    @Test(
        "Interrupted in the middle of the processes that it times, it leaves no file behind",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interruption(signal: Int32) throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = folder.appendingPathComponent("ids")
        let temporary = folder.appendingPathComponent("temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        try Data(String(repeating: "1 0 5 0 2\n", count: 20_000).utf8).write(to: ids)
        let process = try Shell.start(
            ["run", "--voice", Self.voice, "--ids", ids.path, "--threads", "1", "--processes", "1000"],
            program: "tts-bench", folder: folder, environment: ["TMPDIR": temporary.path])
        // Its own processes show that it has got there.
        let threads = "/proc/\(process.processIdentifier)/task"
        func isTiming() -> Bool {
            (try? FileManager.default.contentsOfDirectory(atPath: threads))?.contains { thread in
                let children = try? String(contentsOfFile: "\(threads)/\(thread)/children", encoding: .utf8)
                return children?.isEmpty == false
            } == true
        }
        var wasTiming = false
        for _ in 0..<3000 where process.isRunning && !wasTiming {
            Thread.sleep(forTimeInterval: 0.01)
            wasTiming = isTiming()
        }
        #expect(wasTiming)
        Thread.sleep(forTimeInterval: 0.1)
        kill(process.processIdentifier, signal)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["ids", "temporary"])
    }

    @Test("The help tells what ids are where it first names them", arguments: ["run", "first-audio", "golden"])
    func idsExplained(command: String) throws {
        let help = String(decoding: try Shell.run(["help", command], program: "tts-bench").output, as: UTF8.self)
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let first = try #require(words.firstRange(of: /\bids\b(?! FILE)/))
        let explained = words[first.upperBound...].prefix(70)
        #expect(explained.contains("the numbers that"), "\(explained)")
    }

    @Test("Ids come through a pipe as from a file, more of them than a pipe holds too")
    func pipedIDs() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let bench = Shell.programs.appendingPathComponent("tts-bench").path
        for count in [1, 20_000] {
            let ids = Data(String(repeating: "1 0 5 0 2\n", count: count).utf8)
            try ids.write(to: folder.appendingPathComponent("ids"))
            let run = try Shell.run(
                ["-c", "cat '\(folder.path)/ids' | '\(bench)' first-audio --voice '\(Self.voice)' --ids -"],
                executable: "/bin/sh")
            #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        }
        let wrong = try Shell.run(
            ["first-audio", "--voice", Self.voice, "--ids", "-"], program: "tts-bench", input: Data("1 x".utf8))
        #expect(wrong.status == 65 && wrong.errors.contains("standard input: 'x' is no phoneme id"))
    }

    @Test("A voice that is not there is not the exit code of something that became worse")
    func noVoice() throws {
        let run = try Shell.run(["run", "--voice", "no such voice", "--runs", "1"], program: "tts-bench")
        #expect(run.status == 69)
        #expect(run.errors.contains("no voice named no such voice"))
    }
}

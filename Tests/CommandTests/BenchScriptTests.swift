import Foundation
import Testing

/// `scripts/bench` with programs in the place of its own that write down how they are called.
@Suite("scripts/bench")
struct BenchScriptTests {
    private let folder: URL

    init() throws {
        folder = try Shell.folder()
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        try write(
            "scripts/bench", String(contentsOf: root.appendingPathComponent("scripts/bench"), encoding: .utf8)
        )
        try write("weights/fetch", "#!/bin/sh\necho /voices/default.onnx\n")
        let record = "for word in \"$@\"; do printf '%s|' \"$word\"; done; echo\n"
        try write(".build/release/tts-bench", "#!/bin/sh\nprintf 'tts-bench|'; \(record)")
        try write(".build/peers/python/bin/python", "#!/bin/sh\nprintf 'python|'; \(record)")
        // Nothing is to be installed.
        try write("Benchmarks/requirements.txt", "none\n")
        try write(".build/peers/installed.txt", "none\n")
    }

    private func write(_ path: String, _ text: String) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path)
    }

    /// The calls, a line each.
    private func calls(_ arguments: [String], peers: String? = nil) throws -> [String] {
        let run = try Shell.run(
            arguments, executable: folder.appendingPathComponent("scripts/bench").path,
            environment: ["PEERS_ARGUMENTS": peers ?? ""])
        #expect(run.status == 0 && run.errors == "", "\(run.errors)")
        return String(decoding: run.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test(
        "A voice that is named is the only one, written in any way",
        arguments: [["--voice", "a b"], ["--voice=a b"], ["-v", "a b"], ["-v=a b"]])
    func named(voice: [String]) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let arguments = ["--threads", "2"] + voice + ["--runs", "3"]
        let expected = (["tts-bench", "run"] + arguments).map { $0 + "|" }.joined()
        #expect(try calls(arguments, peers: "none") == [expected])
        let peers = "python|Benchmarks/peers.py|--voice|/voices/default.onnx|--json|.build/peers/ratios.json|"
        #expect(try calls(arguments) == [expected, peers])
    }

    @Test("Without one it is the default voice, for both; options of either kind leave the README alone")
    func defaultVoice() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let peers = "python|Benchmarks/peers.py|--voice|/voices/default.onnx|--json|.build/peers/ratios.json|"
        let bench = "tts-bench|run|--voice|/voices/default.onnx|"
        #expect(try calls([]) == [bench, peers + "--readme|README.md|"])
        #expect(try calls(["--runs", "3"]) == [bench + "--runs|3|", peers])
        #expect(try calls([], peers: "--pairs 1") == [bench, peers + "--pairs|1|"])
        #expect(try calls([], peers: "none") == [bench])
        #expect(try calls(["--help"]) == ["tts-bench|run|--help|"])
    }
}

import Foundation
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

    @Test("A voice that is not there is not the exit code of something that became worse")
    func noVoice() throws {
        let run = try Shell.run(["run", "--voice", "no such voice", "--runs", "1"], program: "tts-bench")
        #expect(run.status == 69)
        #expect(run.errors.contains("no voice named no such voice"))
    }
}

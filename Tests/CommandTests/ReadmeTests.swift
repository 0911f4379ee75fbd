import Foundation
import Testing

@Suite("README")
struct ReadmeTests {
    private static let readme = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("README.md")

    @Test("Every command of syrinx that the README shows succeeds, in the order in which it shows them")
    func commands() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let text = try String(contentsOf: Self.readme, encoding: .utf8)
        let program = Shell.programs.appendingPathComponent("syrinx").path
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("    ") && $0.contains(".build/release/syrinx ") }
            .map {
                $0.trimmingCharacters(in: .whitespaces).replacingOccurrences(of: ".build/release/syrinx", with: program)
            }
        #expect(lines.count > 8)
        // Something short where the README speaks itself.
        try Data("# Syrinx\n\nIt speaks.\n".utf8).write(to: devices.folder.appendingPathComponent("README.md"))
        for line in lines {
            let result = try Shell.run(
                ["-c", "cd '\(devices.folder.path)' && set -o pipefail && \(line)"], executable: "/bin/bash",
                environment: devices.environment)
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
    }
}

import Foundation

/// The stored reference data, found from where this file was compiled.
package enum GoldenFiles {
    /// `Tests/Golden`.
    package static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden").path

    /// The small voices with random weights that Piper's own exporter wrote.
    package static let tinyVoices = ["tiny-high", "tiny-low-16k", "tiny-medium", "tiny-multispeaker"]

    /// The small voices of other shapes that `make_voice.py` wrote.
    package static let shapeVoices = [
        "even-kernel", "hop512", "mean-and-logs", "multi-resblock1", "odd-channels", "odd-couplings",
        "one-coupling-multi", "per-head-tables", "plain", "plain-multi", "symbols130", "three-heads", "x-low",
    ]

    package static let joe = "joe"

    /// Every voice that reference cases exist for.
    package static let voices = tinyVoices + shapeVoices + [joe]

    /// The `.onnx` file of a voice.
    /// - Throws: `MissingVoice` when it is joe's, which is fetched and not stored, and it is not there.
    package static func voice(_ name: String) throws -> String {
        if name == joe { return try FetchedVoice.path() }
        return "\(folder)/\(shapeVoices.contains(name) ? "shapes" : "voices")/\(name).onnx"
    }

    /// The folders of a voice's reference cases, in order.
    package static func cases(_ name: String) throws -> [String] {
        let parent = shapeVoices.contains(name) ? "\(folder)/shapes/\(name)" : "\(folder)/\(name)"
        return try FileManager.default.contentsOfDirectory(atPath: parent).sorted().map { "\(parent)/\($0)" }
    }

    /// The bytes of a stored voice.
    package static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: voice(name))))
    }
}

/// The full-size voice `en_US-joe-medium`, which `weights/fetch` downloads.
package enum FetchedVoice {
    private static let fileName = "en_US-joe-medium.onnx"

    /// `SYRINX_TEST_VOICE`, or the place where `weights/fetch` leaves the voice.
    package static func path() throws(MissingVoice) -> String {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"] ?? NSHomeDirectory()
        let data = environment["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(home)/.local/share"
        let path = environment["SYRINX_TEST_VOICE"] ?? "\(data)/syrinx/voices/\(fileName)"
        guard FileManager.default.fileExists(atPath: path) else { throw MissingVoice(path: path) }
        return path
    }
}

/// The full-size voice is not on this machine. Tests that need it fail, so that nobody takes a run
/// without it for a complete one.
package struct MissingVoice: Error, CustomStringConvertible {
    package let path: String
    package var description: String {
        "no voice at \(path): `make test` fetches it, or `weights/fetch` alone; or set SYRINX_TEST_VOICE to its file"
    }
}

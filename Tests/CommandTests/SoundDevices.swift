import Foundation

/// ALSA devices for a program that a test runs: a file that captures every frame, and nothing else.
struct SoundDevices {
    let folder: URL

    init() throws {
        folder = try Shell.folder()
        let configuration = """
            pcm.null { type null }
            pcm.tofile { type file slave.pcm "null" file "\(captured.path)" format "raw" }
            pcm.full { type file slave.pcm "null" file "/dev/full" format "raw" }
            pcm.!default { type file slave.pcm "null" file "\(captured.path)" format "raw" }
            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("asound.conf"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    private var captured: URL { folder.appendingPathComponent("captured.raw") }
    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// For the program: ALSA's configuration is this one and not the system's.
    var environment: [String: String] { ["ALSA_CONFIG_PATH": path("asound.conf")] }
    /// A configuration without any device.
    var noDevices: [String: String] { ["ALSA_CONFIG_PATH": "/dev/null"] }

    /// The frames that have been played: the device takes float32.
    func heard() throws -> [Float] {
        try Data(contentsOf: captured).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// What has been played as the 16-bit samples that a file would have.
    func heardAsInt16() throws -> [Int16] {
        try heard().map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded(.toNearestOrEven)))) }
    }
}

import CALSA
import Foundation

/// ALSA devices made of plugins, in a directory of their own, for the whole of the test process.
///
/// ALSA reads its configuration once, so there is one for all tests. It takes the place of the system's, so that
/// nothing depends on what is set up on the machine.
struct TestDevices {
    let directory: URL

    static let shared = TestDevices()

    private init() {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent(
            "syrinx-playback-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let configuration = """
            pcm.null { type null }
            # Takes everything.
            pcm.float { type file slave.pcm "null" file "\(path("float.raw"))" format "raw" }
            # Takes integers alone.
            pcm.int16file { type file slave.pcm "null" file "\(path("int16.raw"))" format "raw" }
            pcm.int16 { type linear slave { pcm "int16file" format S16_LE } }
            # Runs at 48 kHz, unless it is allowed to convert.
            pcm.rate48file { type file slave.pcm "null" file "\(path("rate48.raw"))" format "raw" }
            pcm.rate48 { type plug slave { pcm "rate48file" rate 48000 format FLOAT_LE channels 1 } }
            # Has two channels, not one.
            pcm.stereofile { type file slave.pcm "null" file "\(path("stereo.raw"))" format "raw" }
            pcm.stereo {
                type multi
                slaves.a { pcm "stereofile" channels 2 }
                bindings.0 { slave a channel 0 }
                bindings.1 { slave a channel 1 }
            }
            # "server:PATH" plays to the null sink of the sound server that listens at PATH.
            pcm.server {
                @args [ SOCKET ]
                @args.SOCKET { type string }
                type pulse
                server $SOCKET
                device "syrinx"
            }
            # Its file cannot be opened, has no room, is not named.
            pcm.nofolder { type file slave.pcm "null" file "\(path("nosuchfolder/out.raw"))" format "raw" }
            pcm.full { type file slave.pcm "null" file "/dev/full" format "raw" }
            pcm.nofile { type file slave.pcm "null" format "raw" }
            pcm.noserver { type pulse server "unix:\(path("nobody"))" }
            """
        try? configuration.write(toFile: path("asound.conf"), atomically: true, encoding: .utf8)
        atexit { try? FileManager.default.removeItem(at: TestDevices.shared.directory) }
        setenv("ALSA_CONFIG_PATH", path("asound.conf"), 1)
        // What has been read before is forgotten.
        snd_config_update_free_global()
    }

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    /// The samples that a device has captured.
    func capture<Value>(_ name: String, as type: Value.Type) throws -> [Value] {
        let data = try Data(contentsOf: URL(fileURLWithPath: path(name)))
        return data.withUnsafeBytes { Array($0.bindMemory(to: type)) }
    }
}

import Foundation

/// A PulseAudio of the test's own, with a null sink that plays in real time and a recorder on its monitor.
///
/// A sink that starts rewrites what it has rendered ahead, and its monitor, which has passed that on, misses about
/// 20 ms of a recording: hence no rewinds, and a lead-in in the tests.
///
/// Float samples at the audio's rate all the way, so that the recording holds the very samples.
final class PulseServer {
    private let server = Process()
    private let devices = TestDevices.shared

    /// Real-time recordings run one suite at a time, by themselves: SYRINX_PULSE_TESTS=1 and a filter. Both suites
    /// at once would share the server's folder and wait for each other.
    static var isAskedFor: Bool {
        isInstalled && ProcessInfo.processInfo.environment["SYRINX_PULSE_TESTS"] == "1"
    }

    static var isInstalled: Bool {
        ["/usr/bin/pulseaudio", "/usr/bin/parec"].allSatisfy(FileManager.default.isExecutableFile)
    }

    struct DoesNotStart: Error {}

    init() throws {
        let socket = devices.path("native")
        server.executableURL = URL(fileURLWithPath: "/usr/bin/pulseaudio")
        server.arguments = [
            "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--disable-shm=yes",
            "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
            "--load=module-null-sink sink_name=syrinx rate=24000 channels=1 format=float32le norewinds=1",
        ]
        server.environment = environment
        server.standardError = FileHandle.nullDevice
        try server.run()
        for _ in 0..<500 {
            if FileManager.default.fileExists(atPath: socket) { return }
            usleep(10_000)
        }
        stop()
        throw DoesNotStart()
    }

    private var environment: [String: String] {
        let home = devices.directory.path
        return [
            "HOME": home, "XDG_RUNTIME_DIR": home, "PULSE_RUNTIME_PATH": home, "PATH": "/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": "none:",
        ]
    }

    func stop() {
        // SIGKILL: children of a task's thread are born with SIGTERM blocked. And no waitUntilExit: it runs the run
        // loop of the thread that started the process, which is another one after every `await`.
        kill(server.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: devices.path("native"))
    }

    /// Records what the null sink plays while `body` runs.
    func record(_ body: () async throws -> Void) async throws -> [Float] {
        let path = devices.path("heard.raw")
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let recorder = Process()
        recorder.executableURL = URL(fileURLWithPath: "/usr/bin/parec")
        recorder.arguments = [
            "--server=unix:\(devices.path("native"))", "--device=syrinx.monitor", "--rate=24000",
            "--channels=1",
            "--format=float32le", "--raw", "--latency-msec=50",
        ]
        recorder.environment = environment
        recorder.standardOutput = file
        recorder.standardError = FileHandle.nullDevice
        try recorder.run()
        defer { kill(recorder.processIdentifier, SIGKILL) }
        // It is recording once the silence before the audio comes in.
        try await waitForBytes(path, more: 4800)
        try await body()
        // The end has been recorded once as much silence as fits into all queues has followed it.
        try await waitForBytes(path, more: 4 * 24_000)
        return try devices.capture("heard.raw", as: Float.self)
    }

    private func waitForBytes(_ path: String, more: Int) async throws {
        func size() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return (attributes[.size] as? Int) ?? 0
        }
        let goal = try size() + more
        for _ in 0..<2000 {
            if try size() >= goal { return }
            try await Task.sleep(nanoseconds: 10_000_000)
        }
        throw DoesNotStart()
    }
}

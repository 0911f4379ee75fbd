import Foundation
import Synchronization

/// A PulseAudio of one test's own, with a null sink that plays in real time and a recorder on its monitor.
///
/// A sink that starts rewrites what it has rendered ahead, and its monitor, which has passed that on, misses about
/// 20 ms of a recording: hence no rewinds, and a lead-in in the tests.
///
/// Float samples at the audio's rate all the way, so that the recording holds the very samples. Nothing waits for
/// ever: the server is ended when a recording takes too long, and with it whatever waits for an answer of it.
final class PulseServer: Sendable {
    private static let count = Atomic<Int>(0)
    /// Seconds for a start on a machine that has other things to do.
    private static let patience = 30.0

    private let folder: URL
    private let server: ChildProcess
    private let ranTooLong = Atomic<Bool>(false)

    static var isInstalled: Bool {
        ["/usr/bin/pulseaudio", "/usr/bin/parec"].allSatisfy(FileManager.default.isExecutableFile)
    }

    struct DoesNotStart: Error {}
    struct TakesTooLong: Error {}

    /// The device that plays to this server.
    var device: String { "server:\(socket)" }

    private var socket: String { folder.appendingPathComponent("native").path }

    /// Blocks until the server answers.
    init() throws {
        let number = Self.count.add(1, ordering: .relaxed).newValue
        folder = TestDevices.shared.directory.appendingPathComponent("pulse\(number)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appendingPathComponent("native").path
        server = try ChildProcess(
            "/usr/bin/pulseaudio",
            [
                "-n", "--daemonize=no", "--exit-idle-time=60", "--use-pid-file=no", "--disable-shm=yes",
                "--load=module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
                "--load=module-null-sink sink_name=syrinx rate=24000 channels=1 format=float32le norewinds=1",
            ], environment: Self.environment(folder))
        for _ in 0..<Int(Self.patience / 0.01) {
            if FileManager.default.fileExists(atPath: socket) { return }
            usleep(10_000)
        }
        throw DoesNotStart()
    }

    private static func environment(_ folder: URL) -> [String: String] {
        [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path,
            "PATH": "/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "none:",
        ]
    }

    deinit {
        server.end()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Ends the server as a crash would.
    func end() { server.end() }

    /// Starts a server and records what its null sink plays while `body` runs.
    ///
    /// - Throws: what `body` throws, `TakesTooLong` if it takes more than a minute.
    static func record(_ body: @Sendable (PulseServer) async throws -> Void) async throws -> [Float] {
        let (server, recorder) = try await onThread {
            Result {
                let server = try PulseServer()
                let recorder = try MonitorRecorder(
                    socket: server.socket, source: "syrinx.monitor", environment: environment(server.folder))
                // It is recording once the silence before the audio comes in.
                try recorder.wait(forMore: 1200, within: patience)
                return (server, recorder)
            }
        }.get()
        defer { recorder.stop() }
        let watch = Watchdog(seconds: 60) {
            server.ranTooLong.store(true, ordering: .relaxed)
            server.end()
        }
        defer { watch.stop() }
        do {
            try await body(server)
            // The end has been recorded once as much silence as fits into all queues has followed it.
            try await onThread { Result { try recorder.wait(forMore: 18_000, within: patience) } }.get()
        } catch {
            throw server.ranTooLong.load(ordering: .relaxed) ? TakesTooLong() : error
        }
        return recorder.samples
    }
}

/// Does something unless it is stopped in time.
private final class Watchdog: @unchecked Sendable {
    // SAFETY: `isStopped` is read and written with `condition` locked.
    private let condition = NSCondition()
    private var isStopped = false

    init(seconds: Double, _ body: @escaping @Sendable () -> Void) {
        let limit = Date(timeIntervalSinceNow: seconds)
        Thread { [self] in
            condition.lock()
            while !isStopped, condition.wait(until: limit) {}
            let isLate = !isStopped
            condition.unlock()
            if isLate { body() }
        }.start()
    }

    func stop() {
        condition.lock()
        isStopped = true
        condition.broadcast()
        condition.unlock()
    }
}

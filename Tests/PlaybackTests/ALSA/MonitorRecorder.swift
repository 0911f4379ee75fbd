import Foundation

/// Records what a sink of a sound server plays.
final class MonitorRecorder: @unchecked Sendable {
    // SAFETY: what changes is read and written with `condition` locked.
    private let condition = NSCondition()
    private var bytes: [UInt8] = []
    private var hasEnded = false
    private let recorder: ChildProcess

    struct RecordsNothing: Error, CustomStringConvertible {
        var count: Int
        var wanted: Int
        var description: String { "the recorder has given \(count) samples, not \(wanted)" }
    }

    init(socket: String, source: String, environment: [String: String]) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw ChildProcess.DoesNotStart(program: "a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let readEnd = ends[0]
        defer { close(ends[1]) }
        do {
            // Should the tests be killed, the recorder finds its pipe closed, and the server, left alone, ends too.
            recorder = try ChildProcess(
                "/usr/bin/parec",
                [
                    "--server=unix:\(socket)", "--device=\(source)", "--rate=24000", "--channels=1",
                    "--format=float32le", "--raw", "--latency-msec=50",
                ], environment: environment, output: ends[1])
        } catch {
            close(readEnd)
            throw error
        }
        Thread { [weak self] in
            var block = [UInt8](repeating: 0, count: 1 << 14)
            while true {
                let count = read(readEnd, &block, block.count)
                if count == -1, errno == EINTR { continue }
                guard count > 0, let self else { break }
                self.take(block[..<count])
            }
            close(readEnd)
            self?.take(nil)
        }.start()
    }

    private func take(_ block: ArraySlice<UInt8>?) {
        condition.lock()
        if let block { bytes += block } else { hasEnded = true }
        condition.broadcast()
        condition.unlock()
    }

    func stop() { recorder.end() }

    /// Blocks until so many more samples have come.
    ///
    /// - Throws: `RecordsNothing` if they do not come in time, or the recorder has ended.
    func wait(forMore count: Int, within seconds: Double) throws {
        let limit = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        let goal = bytes.count / 4 + count
        while bytes.count / 4 < goal {
            guard !hasEnded, condition.wait(until: limit) else {
                throw RecordsNothing(count: bytes.count / 4, wanted: goal)
            }
        }
    }

    var samples: [Float] {
        condition.lock()
        defer { condition.unlock() }
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
        }
    }
}

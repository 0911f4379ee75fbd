/// Plays to nobody, in real time: for machines without a device, for measurements and for tests.
public final class NullSink: AudioSink, @unchecked Sendable {
    // SAFETY: used by one thread at a time, as AudioSink says.
    private let clock: any PlaybackClock
    private let bufferFrames: Int
    private var sampleRate = 24_000
    private var queued = 0
    private var running = false
    /// When `queued` was right.
    private var counted: UInt64 = 0
    /// Fraction of a frame played, in frames · 10⁹.
    private var remainder: UInt64 = 0

    /// - Parameter bufferFrames: what the sink's queue holds.
    public init(clock: any PlaybackClock = SystemClock(), bufferFrames: Int = 16_384) {
        self.clock = clock
        self.bufferFrames = max(1, bufferFrames)
    }

    public func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        self.sampleRate = sampleRate
        rest()
        return SinkFormat(
            sampleRate: sampleRate, bufferFrames: bufferFrames, keepsTime: true,
            detail: "null, \(sampleRate) Hz")
    }

    public func status() -> SinkStatus {
        advance()
        if running, queued == 0 {
            running = false
            return .fault(.ranDry)
        }
        return .running(buffered: queued, delay: queued)
    }

    public func write(_ samples: Span<Float>) -> SinkWrite {
        advance()
        let count = min(samples.count, bufferFrames - queued)
        queued += count
        return .accepted(count)
    }

    public func start() -> SinkFault? {
        (running, counted, remainder) = (true, clock.nanoseconds, 0)
        return nil
    }

    public func recover(from fault: SinkFault) -> SinkRecovery {
        rest()
        return .ready
    }

    public func beginDrain() {}
    public func drop() { rest() }
    public func close() { rest() }

    private func rest() { (queued, running) = (0, false) }

    private func advance() {
        guard running else { return }
        let now = clock.nanoseconds
        let passed = (now - min(now, counted)) * UInt64(sampleRate) + remainder
        counted = now
        queued = max(0, queued - Int(passed / 1_000_000_000))
        remainder = passed % 1_000_000_000
    }
}

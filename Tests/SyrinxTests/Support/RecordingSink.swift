import Playback
import Synchronization

/// Keeps what it is given, and counts how often it was opened and closed.
final class RecordingSink: AudioSink {
    private struct State {
        var samples: [Float] = []
        var opened = 0
        var closed = 0
    }

    private let state = Mutex(State())
    /// What decides when samples are played; nil takes everything at once.
    private let player: NullSink?

    init(inRealTime: Bool = false) {
        player = inRealTime ? NullSink() : nil
    }

    var samples: [Float] { state.withLock { $0.samples } }
    var opened: Int { state.withLock { $0.opened } }
    var closed: Int { state.withLock { $0.closed } }

    func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        state.withLock { $0.opened += 1 }
        if let player { return try player.open(sampleRate: sampleRate, bufferSeconds: bufferSeconds) }
        return SinkFormat(sampleRate: sampleRate, bufferFrames: 4096, keepsTime: false)
    }

    func status() -> SinkStatus { player?.status() ?? .running(buffered: 0, delay: 0) }

    func write(_ samples: Span<Float>) -> SinkWrite {
        let result = player?.write(samples) ?? .accepted(samples.count)
        if case .accepted(let count) = result {
            state.withLock { state in
                for index in 0..<count { state.samples.append(samples[index]) }
            }
        }
        return result
    }

    func start() -> SinkFault? { player?.start() }
    func recover(from fault: SinkFault) -> SinkRecovery { player?.recover(from: fault) ?? .ready }
    func beginDrain() { player?.beginDrain() }
    func drop() { player?.drop() }

    func close() {
        player?.close()
        state.withLock { $0.closed += 1 }
    }
}

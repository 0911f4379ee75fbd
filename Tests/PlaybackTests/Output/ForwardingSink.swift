@testable import Playback

/// A sink that hands everything on, but for what a test makes of it.
protocol ForwardingSink: AudioSink {
    var base: NullSink { get }
}

extension ForwardingSink {
    func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        try base.open(sampleRate: sampleRate, bufferSeconds: bufferSeconds)
    }
    func status() -> SinkStatus { base.status() }
    func write(_ samples: Span<Float>) -> SinkWrite { base.write(samples) }
    func start() -> SinkFault? { base.start() }
    func recover(from fault: SinkFault) -> SinkRecovery { base.recover(from: fault) }
    func beginDrain() { base.beginDrain() }
    func drop() { base.drop() }
    func close() { base.close() }
}

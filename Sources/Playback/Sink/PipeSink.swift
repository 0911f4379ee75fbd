import Glibc

/// Writes raw samples to a file descriptor: a pipe to another program, a socket, a file.
///
/// What reads at the other end keeps the time, so such an output is never starved, holds no silence beyond the lead-in,
/// and waits while the pipe is full, at the end too: the playback ends when the pipe has taken the last sample. A reader
/// that never reads is waited for as long as it keeps the pipe open, as by every program that writes to one; stopping the
/// playback without waiting for its completion ends that at once. A reader that goes away ends the playback with
/// ``PlaybackError/brokenPipe``. (The writer's thread blocks SIGPIPE; other users of this sink do so themselves.)
public final class PipeSink: AudioSink, @unchecked Sendable {
    // SAFETY: used by one thread at a time, as AudioSink says.

    /// How samples are written, little-endian, mono.
    public enum Encoding: Sendable {
        case float32
        case int16
    }

    private let descriptor: Int32
    private let closesDescriptor: Bool
    private let layout: FrameLayout
    /// A pipe with room takes at least so many bytes without blocking (PIPE_BUF).
    private static let stride = 4096
    private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: stride, alignment: 16)
    // Bytes of frames accepted that the pipe has not taken: a short write may end within a sample.
    private var pending = 0..<0

    /// - Parameter closesDescriptor: whether the end of playback closes it.
    public init(descriptor: Int32, encoding: Encoding = .int16, closesDescriptor: Bool = false) {
        self.descriptor = descriptor
        self.closesDescriptor = closesDescriptor
        layout = FrameLayout(format: encoding == .float32 ? .float32 : .int16, channels: 1)
    }

    deinit { bytes.deallocate() }

    public func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        pending = 0..<0
        return SinkFormat(
            sampleRate: sampleRate, bufferFrames: Self.stride, keepsTime: false,
            detail: "\(layout.format.name), \(sampleRate) Hz, mono")
    }

    /// A pipe keeps no time: what it has taken is taken for heard. What it has not yet is tried again here.
    public func status() -> SinkStatus {
        if let fault = flush() { return .fault(fault) }
        let frames = (pending.count + layout.frameBytes - 1) / layout.frameBytes
        return .running(buffered: frames, delay: frames)
    }

    public func write(_ samples: Span<Float>) -> SinkWrite {
        var accepted = 0
        while true {
            if let fault = flush() { return .fault(fault) }
            guard pending.isEmpty, accepted < samples.count else { return .accepted(accepted) }
            let count = min(Self.stride / layout.frameBytes, samples.count - accepted)
            layout.interleave(samples.extracting(accepted..<accepted + count), into: bytes)
            pending = 0..<count * layout.frameBytes
            accepted += count
        }
    }

    /// Writes what is pending as far as that does not block.
    private func flush() -> SinkFault? {
        while !pending.isEmpty {
            var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard poll(&request, 1, 0) > 0 else { return nil }
            guard let base = bytes.baseAddress else { return nil }
            let count = Glibc.write(descriptor, base + pending.lowerBound, pending.count)
            if count >= 0 {
                pending = pending.lowerBound + count..<pending.upperBound
            } else {
                switch errno {
                case EAGAIN: return nil
                case EINTR: continue
                case EPIPE, ECONNRESET: return .failed(.brokenPipe)
                default:
                    return .failed(.deviceFailed(device: "pipe", operation: "write", code: -errno))
                }
            }
        }
        return nil
    }

    public func start() -> SinkFault? { nil }
    public func recover(from fault: SinkFault) -> SinkRecovery { .ready }

    /// The last bytes go as all others do, whenever the status is asked for.
    public func beginDrain() {}

    public func drop() {}

    public func close() {
        if closesDescriptor { Glibc.close(descriptor) }
    }
}

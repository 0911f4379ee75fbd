import DSP

/// Writes what is played to a WAV file, as fast as it comes.
///
/// A file keeps no time: it is never starved and holds no silence beyond the lead-in. It appears, or is replaced, when
/// the playback ends, whether played to the end or stopped, and its header is right then. After an error (the disk is
/// full) there is no file, and the playback ends with ``PlaybackError/fileFailed(reason:)``.
public final class WAVSink: AudioSink, @unchecked Sendable {
    // SAFETY: used by one thread at a time, as AudioSink says.
    private let path: String
    private let encoding: PipeSink.Encoding
    private var writer: WAVWriter?
    public private(set) var closingFailure: PlaybackError?

    /// Samples clamped at a time.
    private static let stride = 1024
    private let clamped = UnsafeMutableBufferPointer<Float>.allocate(capacity: stride)

    /// - Parameters:
    ///   - path: of the file, made by the start of playback and not before. Each playback replaces it.
    ///   - encoding: how samples are stored; `int16` is rounded to the nearest.
    public init(path: String, encoding: PipeSink.Encoding = .int16) {
        self.path = path
        self.encoding = encoding
        clamped.initialize(repeating: 0)
    }

    deinit { clamped.deallocate() }

    public func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        closingFailure = nil
        do throws(AudioFileError) {
            writer = try WAVWriter(
                path: path, sampleRate: sampleRate, encoding: encoding == .float32 ? .float32 : .signed16)
        } catch {
            throw .fileFailed(reason: "\(error)")
        }
        return SinkFormat(
            sampleRate: sampleRate, bufferFrames: Self.stride, keepsTime: false,
            detail: "WAV, \(encoding), \(sampleRate) Hz, mono")
    }

    /// What has been written is taken for heard.
    public func status() -> SinkStatus { .running(buffered: 0, delay: 0) }

    /// Allocates nothing. Waits for the system to take 64 KiB now and then, as every writer of files does.
    public func write(_ samples: Span<Float>) -> SinkWrite {
        var written = 0
        while written < samples.count {
            let count = min(Self.stride, samples.count - written)
            for index in 0..<count {
                let sample = samples[written + index]
                clamped[index] = sample.isNaN ? 0 : min(1, max(-1, sample))
            }
            do throws(AudioFileError) {
                try writer?.step(UnsafeBufferPointer(rebasing: clamped[..<count]).span)
            } catch {
                // Nothing is left of a file that is not whole.
                writer = nil
                return .fault(.failed(.fileFailed(reason: "\(error)")))
            }
            written += count
        }
        return .accepted(written)
    }

    public func start() -> SinkFault? { nil }
    public func recover(from fault: SinkFault) -> SinkRecovery { .ready }
    public func beginDrain() {}
    public func drop() {}

    /// Completes the file.
    public func close() {
        guard let writer = writer.take() else { return }
        do throws(AudioFileError) {
            try writer.finish()
        } catch {
            closingFailure = .fileFailed(reason: "\(error)")
        }
    }
}

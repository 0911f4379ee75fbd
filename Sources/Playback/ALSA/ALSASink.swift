import Glibc

/// Plays to a device of ALSA: a card, or whatever stands behind a name (a sound server, a file).
///
/// Opened without blocking, so that a device in use says so at once. One path for each thing that can happen:
///
/// - ran dry (EPIPE): `prepare`, and the writer fills and starts it again;
/// - the machine slept (ESTRPIPE): `resume`, asked again while the driver says EAGAIN; drivers that
///   cannot get `prepare`;
/// - gone (ENODEV and whatever else): the playback ends with ``PlaybackError/deviceLost(device:)``;
/// - busy (EBUSY): `open` throws ``PlaybackError/deviceBusy(device:)``.
///
/// Nothing is allocated while audio runs. libasound takes the handle's mutex in every call; as one thread uses the
/// handle, nobody ever waits for it.
public final class ALSASink: AudioSink, @unchecked Sendable {
    // SAFETY: used by one thread at a time, as AudioSink says: by the one that opens it, then by the device writer.
    let device: OutputDevice
    let pcm: any PCMDevice
    var layout = FrameLayout(format: .float32, channels: 1)
    var bufferFrames = 0
    private var isDraining = false
    private var frames = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    /// Frames converted at a time.
    private static let stride = 1024

    public convenience init(device: OutputDevice = .default) {
        self.init(device: device, pcm: SystemPCM())
    }

    init(device: OutputDevice, pcm: any PCMDevice) {
        self.device = device
        self.pcm = pcm
    }

    deinit { frames.deallocate() }

    public func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        let code = pcm.open(device.name)
        guard code >= 0 else {
            pcm.close()
            throw openError(code)
        }
        do throws(PlaybackError) {
            let format = try negotiate(sampleRate: sampleRate, bufferSeconds: bufferSeconds)
            isDraining = false
            frames.deallocate()
            frames = .allocate(byteCount: Self.stride * layout.frameBytes, alignment: 16)
            return format
        } catch {
            pcm.close()
            throw error
        }
    }

    public func status() -> SinkStatus {
        let (code, available, delay) = pcm.availableAndDelay()
        if code >= 0 {
            return .running(buffered: max(0, bufferFrames - available), delay: max(0, delay))
        }
        // At the end of a drain the device is at rest, where there is no delay to ask for.
        if isDraining, pcm.state == .setup || code == -EPIPE { return .running(buffered: 0, delay: 0) }
        return .fault(fault(code, "report its queue"))
    }

    public func write(_ samples: Span<Float>) -> SinkWrite {
        var written = 0
        while written < samples.count {
            let count = min(Self.stride, samples.count - written)
            layout.interleave(samples.extracting(written..<written + count), into: frames)
            guard let base = frames.baseAddress else { break }
            let result = pcm.write(base, count: count)
            if result == -Int(EAGAIN) || result == -Int(EINTR) { break }
            if result < 0 {
                // What went before is in the device; the next call will meet the fault again.
                if written > 0 { break }
                return .fault(fault(Int32(result), "take samples"))
            }
            written += result
            if result < count { break }
        }
        return .accepted(written)
    }

    public func start() -> SinkFault? {
        // Some plugins start by themselves.
        if pcm.state == .running { return nil }
        let code = pcm.start()
        return code < 0 ? fault(code, "start") : nil
    }

    public func beginDrain() {
        isDraining = true
        _ = pcm.drain()
    }

    public func drop() {
        _ = pcm.drop()
        _ = pcm.prepare()
        isDraining = false
    }

    public func close() {
        pcm.close()
    }
}

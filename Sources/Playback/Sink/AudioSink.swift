/// A place where mono float samples go: a sound device, a file, a pipe, nothing.
///
/// All calls come from one thread at a time: `open` from whoever starts playback, the rest from the device writer.
/// What the writer calls while audio runs (`status`, `write`, `start`) must neither allocate nor wait for
/// anything but the system's own files.
public protocol AudioSink: AnyObject, Sendable {
    /// Opens the sink for mono audio of about this rate and returns what it will take. The caller resamples.
    ///
    /// - Parameter bufferSeconds: the audio that the writer keeps queued; a sink must hold at least that.
    func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat

    /// What the sink's own queue holds.
    func status() -> SinkStatus

    /// Hands over samples in -1 ... 1; what lies outside is clamped. Takes what there is room for.
    func write(_ samples: Span<Float>) -> SinkWrite

    /// Lets the samples written so far be heard. Called when something has been written to a sink at rest.
    func start() -> SinkFault?

    /// Called after a fault other than `.failed`.
    func recover(from fault: SinkFault) -> SinkRecovery

    /// Says that no more samples follow; what is queued is heard to its end. Does not wait.
    func beginDrain()

    /// Throws away what is queued and comes to rest. May be written to and started again.
    func drop()

    /// Releases the device. Called exactly once for each `open` that succeeded.
    func close()

    /// What went wrong in the last `close`, nil if nothing did: the reason for which the playback failed after all.
    /// A sink whose end cannot fail need not say so.
    var closingFailure: PlaybackError? { get }
}

extension AudioSink {
    public var closingFailure: PlaybackError? { nil }
}

/// What a sink agreed to.
public struct SinkFormat: Sendable, Equatable {
    /// Hertz.
    public var sampleRate: Int
    /// Frames that the sink's queue can hold.
    public var bufferFrames: Int
    /// Frames that the sink takes at a time, 0 if its queue shrinks one by one.
    public var periodFrames: Int
    /// Whether the sink plays in real time. One that does not (a pipe) is never starved: it waits.
    public var keepsTime: Bool
    /// For people: "float32, 48000 Hz, 2 channels".
    public var detail: String

    public init(
        sampleRate: Int, bufferFrames: Int, periodFrames: Int = 0, keepsTime: Bool, detail: String = ""
    ) {
        self.sampleRate = sampleRate
        self.bufferFrames = bufferFrames
        self.periodFrames = periodFrames
        self.keepsTime = keepsTime
        self.detail = detail
    }
}

/// The state of a sink's queue.
public enum SinkStatus: Sendable, Equatable {
    /// `buffered` frames wait in the sink's buffer; a sample written now is heard after `delay` frames, which
    /// counts what lies beyond the buffer (a sound server, a radio link).
    case running(buffered: Int, delay: Int)
    case fault(SinkFault)
}

public enum SinkWrite: Sendable, Equatable {
    /// Frames taken, 0 if there is no room now.
    case accepted(Int)
    case fault(SinkFault)
}

public enum SinkFault: Sendable, Equatable {
    /// The queue ran empty and the device stopped (XRUN).
    case ranDry
    /// The machine slept, and the device with it.
    case suspended
    /// Nothing more can be played.
    case failed(PlaybackError)
}

public enum SinkRecovery: Sendable, Equatable {
    /// Empty and at rest: write, then start.
    case ready
    /// Going on with the queue that it had.
    case running
    /// Still waking up: ask again later.
    case notYet
    case failed(PlaybackError)
}

@testable import Playback

/// A device in virtual time. It plays its queue at its rate, runs dry when the queue is empty, and remembers every
/// sample.
final class VirtualSink: AudioSink, @unchecked Sendable {
    /// What happened to the device, in the order of samples written.
    struct Event: Equatable {
        enum Kind: Equatable { case dry, suspended, dropped, drained }
        var kind: Kind
        /// Samples written before.
        var position: Int
    }

    let clock: VirtualClock
    /// Rate that the device insists on, 0 for whatever is asked for.
    var deviceRate = 0
    var bufferSeconds = 0.072
    /// Frames beyond the buffer: a sound server, a radio link.
    var extraDelay = 0
    /// Frames that it takes out of its buffer at a time, as a sound server does; 0 for one by one.
    var quantum = 0
    /// It tells of so many of them at once.
    var quantaPerReport = 1
    /// Takes at most so many frames in one write.
    var writeLimit = Int.max
    /// What `start` answers.
    var startFault: SinkFault?
    /// From this clock time on it takes nothing and plays nothing, and reports no fault.
    var stuckFrom = UInt64.max
    /// Goes on where it hung.
    func release() {
        if isStuck { startTime += clock.nanoseconds - stuckFrom }
        stuckFrom = .max
    }
    var injected: [SinkFault] = []
    /// What `recover` answers to a suspended device, one after the other; then `.ready`.
    var recoveries: [SinkRecovery] = []
    var openError: PlaybackError?

    private(set) var rate = 24_000
    private(set) var written: [Float] = []
    private(set) var events: [Event] = []
    private(set) var openCount = 0
    private(set) var closeCount = 0
    /// When each `start` happened, and at which sample.
    private(set) var starts: [(time: UInt64, position: Int)] = []
    private(set) var closeTime: UInt64 = 0

    private var bufferFrames = 0
    private var running = false
    private var draining = false
    // Since the latest start.
    private var startTime: UInt64 = 0
    private var startPosition = 0
    // First sample written that is still in the buffer.
    private var base = 0

    init(clock: VirtualClock) { self.clock = clock }

    func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
        if let openError { throw openError }
        rate = deviceRate == 0 ? sampleRate : deviceRate
        bufferFrames = Int(self.bufferSeconds * Double(rate))
        openCount += 1
        (running, draining) = (false, false)
        base = written.count
        return SinkFormat(
            sampleRate: rate, bufferFrames: bufferFrames, periodFrames: quantum, keepsTime: true)
    }

    /// Samples that have left the loudspeaker by now, extra delay aside.
    var playedPosition: Int {
        guard running else { return base }
        return min(written.count, quantum > 0 ? startPosition + quanta * quantum : startPosition + elapsed)
    }

    /// Frames' worth of time since the start.
    private var elapsed: Int {
        Int((min(clock.nanoseconds, max(stuckFrom, startTime)) - startTime) * UInt64(rate) / 1_000_000_000)
    }
    private var isStuck: Bool { clock.nanoseconds >= stuckFrom }
    /// The first is taken at the start.
    private var quanta: Int { elapsed / quantum + 1 }

    /// First sample that the device says is still in the buffer.
    private var reportedPosition: Int {
        guard running, quantum > 0 else { return base }
        return min(base, startPosition + quanta / quantaPerReport * quantaPerReport * quantum)
    }

    private func advance() -> SinkFault? {
        guard running, !isStuck else { return nil }
        base = playedPosition
        // Silence fills up a quantum that is not there whole.
        let isShort = quantum > 0 && startPosition + quanta * quantum > written.count
        guard isShort || quantum == 0 && base == written.count else { return nil }
        if draining { return nil }
        running = false
        events.append(Event(kind: .dry, position: base))
        return .ranDry
    }

    func status() -> SinkStatus {
        if !injected.isEmpty {
            let fault = injected.removeFirst()
            if fault == .suspended { events.append(Event(kind: .suspended, position: written.count)) }
            return .fault(fault)
        }
        if let fault = advance() { return .fault(fault) }
        let queued = written.count - reportedPosition
        let delay = queued == 0 && !running ? 0 : queued + (draining ? 0 : extraDelay)
        return .running(buffered: queued, delay: delay)
    }

    func write(_ samples: Span<Float>) -> SinkWrite {
        if let fault = advance() { return .fault(fault) }
        if isStuck { return .accepted(0) }
        let count = min(samples.count, bufferFrames - (written.count - reportedPosition), writeLimit)
        for index in 0..<count { written.append(samples[index]) }
        return .accepted(count)
    }

    func start() -> SinkFault? {
        if let startFault { return startFault }
        (running, startTime, startPosition) = (true, clock.nanoseconds, base)
        starts.append((startTime, base))
        return nil
    }

    func recover(from fault: SinkFault) -> SinkRecovery {
        if case .failed(let error) = fault { return .failed(error) }
        if fault == .suspended, !recoveries.isEmpty { return recoveries.removeFirst() }
        (running, base) = (false, written.count)
        return .ready
    }

    func beginDrain() { draining = true }

    func drop() {
        base = playedPosition
        let kept = written.count
        events.append(Event(kind: .dropped, position: kept))
        droppedSamples += kept - base
        (running, draining, base) = (false, false, kept)
    }
    /// Samples that were in the buffer when it was dropped.
    private(set) var droppedSamples = 0

    func close() {
        closeCount += 1
        closeTime = clock.nanoseconds
        running = false
    }
}

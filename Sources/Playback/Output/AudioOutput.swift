import Synchronization

/// Plays audio while it is being made.
///
///     let output = AudioOutput(device: .default)
///     try output.configure(sampleRate: 22_050)
///     try output.startPlayback(strategy: .auto)
///     for chunk in chunks { try output.enqueueAudioChunk(chunk) }
///     await output.stopPlayback()
///
/// Sound starts when the strategy's buffer is filled and goes on until `stopPlayback`. What is heard is what was
/// handed over, sample by sample, except for fades of 10.7 ms where sound begins and ends: at the start and the end,
/// around an underrun, around a pause. All members may be used from any thread; audio comes from one
/// producer at a time.
///
/// An output plays one thing at a time and can be used again after each. Dropping the last reference stops
/// playback and closes the device.
public final class AudioOutput: Sendable {
    private struct State {
        var sampleRate = 24_000
        var volume: Float = 1
        /// Where the next start plays to.
        var sink: any AudioSink
        /// What `sink` plays to, nil for a sink that was given.
        var device: OutputDevice?
        var session: PlaybackSession?
        /// Whether a start is opening the device, outside of the lock: that may take seconds.
        var isOpening = false
        /// Those who came to end a playback whose device is still being opened.
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let makeSink: @Sendable (OutputDevice) -> any AudioSink
    private let clock: any PlaybackClock
    /// How the device is dealt with.
    public let configuration: OutputConfiguration
    private let hasThread: Bool
    private let queueLimit: Int
    private let state: Mutex<State>

    /// An output to a sound device. The device is opened by ``startPlayback(strategy:)`` and not before.
    public convenience init(
        device: OutputDevice = .default, configuration: OutputConfiguration = OutputConfiguration()
    ) {
        self.init(
            sink: ALSASink(device: device), device: device, clock: SystemClock(), configuration: configuration,
            hasThread: true)
    }

    /// An output to any sink.
    public convenience init(
        sink: any AudioSink, configuration: OutputConfiguration = OutputConfiguration()
    ) {
        self.init(sink: sink, clock: SystemClock(), configuration: configuration, hasThread: true)
    }

    /// For tests: without a thread the caller makes the writer's turns.
    package init(
        sink: any AudioSink, device: OutputDevice? = nil, clock: any PlaybackClock, configuration: OutputConfiguration,
        hasThread: Bool, queueLimit: Int = .max,
        makeSink: @escaping @Sendable (OutputDevice) -> any AudioSink = { ALSASink(device: $0) }
    ) {
        state = Mutex(State(sink: sink, device: device))
        self.makeSink = makeSink
        self.clock = clock
        self.configuration = configuration
        self.hasThread = hasThread
        self.queueLimit = queueLimit
    }

    deinit {
        state.withLock { $0.session }?.stop()
    }

    var session: PlaybackSession? { state.withLock { $0.session } }

    // MARK: Before playback

    /// The sound device, nil for an output to a sink of the application's own. Setting it takes effect with the next
    /// ``startPlayback(strategy:sampleRate:fadesEnds:)``; what is playing stays where it is. Setting nil changes nothing.
    public var device: OutputDevice? {
        get { state.withLock { $0.device } }
        set {
            guard let newValue else { return }
            state.withLock { state in
                guard state.device != newValue else { return }
                state.device = newValue
                state.sink = makeSink(newValue)
            }
        }
    }

    /// The rate of the audio handed over, in hertz: 24 000 until configured. The device may run at another.
    public var sampleRate: Int { state.withLock { $0.sampleRate } }

    /// Sets the rate of the audio handed over. Takes effect with the next ``startPlayback(strategy:)``.
    ///
    /// - Throws: `invalidSampleRate` outside 1 000 ... 768 000 Hz.
    public func configure(sampleRate: Int) throws(PlaybackError) {
        try Self.check(sampleRate: sampleRate)
        state.withLock { $0.sampleRate = sampleRate }
    }

    private static func check(sampleRate: Int) throws(PlaybackError) {
        guard (1_000...768_000).contains(sampleRate) else { throw .invalidSampleRate(sampleRate) }
    }

    /// Opens the device and makes ready. Nothing is heard, and the device does not run, until the strategy's buffer
    /// is filled. Blocks for as long as opening takes, some milliseconds, more with a sound server; other members
    /// answer meanwhile as they did before, ``playbackState`` says `buffering`, and ``stopPlayback(waitForCompletion:)``
    /// waits for the device to be open.
    ///
    /// - Parameters:
    ///   - sampleRate: of the audio handed over, as ``configure(sampleRate:)`` sets it; nil leaves it.
    ///   - fadesEnds: whether the start and the end of the whole are faded. False for audio whose ends are faded
    ///     already, or that must reach the device as it is; gaps, pauses and stops are faded in any case.
    /// - Throws: `alreadyPlaying`, or why the device cannot be opened. Then nothing has been started.
    public func startPlayback(
        strategy: PlaybackStrategy = .auto, sampleRate: Int? = nil, fadesEnds: Bool = true
    ) throws(PlaybackError) {
        if let sampleRate { try Self.check(sampleRate: sampleRate) }
        if case .buffered(let seconds) = strategy, !(seconds >= 0 && seconds.isFinite) {
            throw .invalidBufferDuration(seconds)
        }
        let (sink, rate, volume) = try beginOpening(sampleRate: sampleRate)
        do throws(PlaybackError) {
            let session = try PlaybackSession(
                sink: sink, clock: clock, sourceRate: rate, strategy: strategy, configuration: configuration,
                volume: volume, fadesEnds: fadesEnds, queueLimit: queueLimit)
            if hasThread { try session.run(realTimePriority: configuration.realTimePriority) }
            endOpening(session)
        } catch {
            endOpening(nil)
            throw error
        }
    }

    private func beginOpening(sampleRate: Int?) throws(PlaybackError) -> (any AudioSink, rate: Int, volume: Float) {
        let begun: (any AudioSink, Int, Float)? = state.withLock { state in
            if state.isOpening { return nil }
            if let session = state.session, session.controls.mode != .ended { return nil }
            if let sampleRate { state.sampleRate = sampleRate }
            state.isOpening = true
            return (state.sink, state.sampleRate, state.volume)
        }
        guard let begun else { throw .alreadyPlaying }
        return begun
    }

    private func endOpening(_ session: PlaybackSession?) {
        let waiting = state.withLock { state in
            state.isOpening = false
            if let session {
                // It may have been turned while the device opened.
                session.controls.volume = state.volume
                state.session = session
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Whether a start is opening the device.
    var isOpening: Bool { state.withLock { $0.isOpening } }

    private func waitForOpening() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isOpening { state.waiting.append(continuation) }
                return !state.isOpening
            }
            if isOver { continuation.resume() }
        }
    }

    // MARK: Audio

    /// Hands over the next samples, mono, -1 ... 1, at ``sampleRate``. Returns at once; see
    /// ``waitForLead(below:)`` for a producer that is faster than sound. An empty chunk is fine.
    ///
    /// - Parameter step: what `auto` wants to know. Without it `auto` waits for the end.
    /// - Throws: `notPlaying` before the start and after the end, `queueFull`, or why the device failed. Nothing of a
    ///   chunk that was refused has been taken: it may be handed over again.
    public func enqueueAudioChunk(_ samples: [Float], step: GenerationStep? = nil) throws(PlaybackError) {
        try enqueueAudioChunk(samples.span, step: step)
    }

    /// As above, from borrowed samples.
    public func enqueueAudioChunk(_ samples: Span<Float>, step: GenerationStep? = nil) throws(PlaybackError) {
        guard let session else { throw .notPlaying }
        try session.enqueue(samples, step: step)
    }

    /// Replaces the strategy by a fixed number of seconds to collect before sound starts or, after an underrun,
    /// starts again. Sound that is playing goes on. Without a playback this does nothing.
    public func setBufferDuration(_ seconds: Double) throws(PlaybackError) {
        guard seconds >= 0, seconds.isFinite else { throw .invalidBufferDuration(seconds) }
        session?.setBuffer(seconds: seconds)
    }

    /// Waits until at most so many seconds are queued, so that a fast producer takes no more memory than that.
    /// Returns at once when no playback is going on, or when sound cannot start before more audio comes.
    ///
    /// - Throws: `CancellationError` if the task is cancelled; playback goes on.
    public func waitForLead(below seconds: Double) async throws {
        while let session, session.controls.mode != .ended {
            try Task.checkCancellation()
            let excess = session.leadSeconds - seconds
            if excess <= 0 || session.silentSeconds > 0 { return }
            try await Task.sleep(nanoseconds: UInt64(min(max(excess, 0.002), 0.1) * 1e9))
        }
    }

    // MARK: Ending

    /// Ends playback and returns when the device is closed.
    ///
    /// - Parameter waitForCompletion: true plays everything handed over to its end, whatever the strategy still
    ///   wanted to collect, with a fade-out over the last 10.7 ms. Cancelling the task while it waits stops as `false`
    ///   does. A paused output waits for ``resume()``. False fades out what is being heard and throws the
    ///   rest away, within 50 ms (or what a longer ``OutputConfiguration/deviceBuffer`` takes).
    ///
    /// Does nothing when nothing is playing. Whether the end was an orderly one says ``failure``.
    public func stopPlayback(waitForCompletion: Bool = true) async {
        await waitForOpening()
        guard let session else { return }
        if waitForCompletion { session.finish() } else { session.stop() }
        await session.waitForEnd()
    }

    /// Says that no more audio follows, without waiting: `stopPlayback()` in two parts.
    ///
    /// Best said with the last chunk. The output does not fade out, and a rate converter (a device at another rate)
    /// keeps its last 4 ms, until it knows that the end is the end.
    public func finish() {
        session?.finish()
    }

    // MARK: While playing

    /// Fades out within 50 ms and lets the device rest. Audio may still be handed over. What was faded out is not
    /// heard again.
    public func pause() {
        session?.setPaused(true)
    }

    /// Fades in where ``pause()`` left off.
    public func resume() {
        session?.setPaused(false)
    }

    /// 0 ... 1, 1 at first. Changes glide (full scale in 20 ms) and are heard after the device's own queue, 36 ms.
    /// Values outside are clamped, NaN is ignored. Kept for later playbacks.
    public var volume: Float {
        get { state.withLock { $0.volume } }
        set {
            guard !newValue.isNaN else { return }
            let volume = min(1, max(0, newValue))
            state.withLock { state in
                state.volume = volume
                state.session?.controls.volume = volume
            }
        }
    }
}

/// Moves samples from the queue to the sink, and decides where audio begins and ends.
///
/// One `turn` looks at the sink's queue, obeys what was asked for, writes what there is room for, and says when it
/// wants to be called again. The turns know no thread: in the player a thread makes them, in tests a clock that the
/// test moves. A turn allocates nothing, takes no lock and does not wait.
///
/// The last `fade` samples of the queue are held back as long as more may follow. When the sink is about to
/// run dry they are written faded out, before the gap; audio after it fades in. Audio that goes on is never touched.
final class DeviceWriter {
    let controls: WriterControls
    let queue: SampleQueue
    let sink: any AudioSink
    let clock: any PlaybackClock
    let plan: WriterPlan

    var mode = WriterMode.waiting
    /// Why playback ended early.
    var failure: PlaybackError?

    // Samples that are ready and that the sink has not taken: block[stagedStart ..< stagedEnd].
    let block: UnsafeMutableBufferPointer<Float>
    var stagedStart = 0
    var stagedEnd = 0
    var stagedIsAudio = false

    let fade: EdgeFade
    /// Number of the next sample within the fade-in; `fade.length` when it is over.
    var fadeInPosition = 0
    /// Whether sound has started before.
    var hasPlayed = false
    var volume: VolumeRamp
    var ledger = HeardLedger()

    /// Frames in the sink's buffer, as far as is known.
    var buffered = 0
    /// When the sink was last asked.
    var observed: UInt64 = 0
    /// The last time the sink was asked before its buffer was seen to have shrunk: it shrank after that.
    var unshrunk: UInt64 = 0
    /// Whether the device is running (else it is at rest and may hold a prefill).
    var running = false
    /// Whether the sink has ever reported a filled buffer: one that never does (ALSA's null) cannot run dry.
    var holdsFrames = false
    var silenceOwed: Int
    /// The gap that is going on becomes an underrun once audio follows it.
    var gapIsUnderrun = false
    var drainBegun = false
    var deadline: UInt64 = 0
    var writtenThisTurn = 0
    /// When the sink took the first of the audio, 0 before.
    var firstWritten: UInt64 = 0
    /// When the device last took a frame or played one, and what was known of it then; see `giveUpIfStuck`.
    var progressed: UInt64 = 0
    var pendingBefore = 0
    var bufferedBefore = 0
    var wasDraining = false

    init(
        controls: WriterControls, queue: SampleQueue, sink: any AudioSink, clock: any PlaybackClock,
        plan: WriterPlan
    ) {
        self.controls = controls
        self.queue = queue
        self.sink = sink
        self.clock = clock
        self.plan = plan
        fade = EdgeFade(sampleRate: plan.sampleRate)
        block = .allocate(capacity: 2 * (plan.target + plan.fade))
        block.initialize(repeating: 0)
        volume = VolumeRamp(volume: controls.volume, sampleRate: plan.sampleRate)
        silenceOwed = plan.leadIn
    }

    deinit {
        block.deallocate()
        fade.deallocate()
        ledger.deallocate()
    }

    /// When to make the next turn.
    enum Next: Equatable {
        /// After so many nanoseconds, or earlier when woken.
        case after(UInt64)
        /// When woken.
        case whenWoken
        /// Never: the sink is closed.
        case ended
    }

    func turn() -> Next {
        guard mode != .ended else { return .ended }
        writtenThisTurn = 0
        var next: Next
        if observe() {
            obey()
            next = proceed()
        } else {
            // Asleep, or failed.
            if controls.stopRequested.load(ordering: .acquiring) { end() }
            next = mode == .ended ? .ended : .after(20_000_000)
        }
        giveUpIfStuck()
        if mode == .ended { next = .ended }
        publish()
        return next
    }

    private func proceed() -> Next {
        switch mode {
        case .waiting: hold()
        case .playing: play()
        case .gap: bridge()
        case .pausing: settleDown(then: .paused)
        case .paused: .whenWoken
        case .draining: drain()
        case .stopping: settleDown(then: .ended)
        case .ended: .ended
        }
    }

    private func publish() {
        noteFirstSound()
        controls.heard.store(ledger.heardAudio, ordering: .relaxed)
        controls.pending.store(ledger.pendingAudio, ordering: .relaxed)
        controls.mode = mode
    }

    /// Comes to the end: the sink is closed, on this path as on every other.
    func end() {
        guard mode != .ended else { return }
        mode = .ended
        sink.close()
        failure = failure ?? sink.closingFailure
    }

    func fail(_ error: PlaybackError) {
        failure = error
        end()
    }
}

import DSP
import Synchronization

/// One playback from start to stop: the queue, the writer, and the producer's side.
///
/// The producer's side is behind a mutex; what is asked often (position, counters) is atomic and waits for nobody.
final class PlaybackSession: Sendable {
    /// Producer's side.
    struct Producer: ~Copyable {
        var resampler: Resampler
        var policy: BufferPolicy
        var finished = false
    }

    /// What waits for the end. Touched by the writer's thread only after the device is closed.
    private struct End {
        var reached = false
        var failure: PlaybackError?
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let controls = WriterControls()
    let queue: SampleQueue
    let sourceRate: Int
    let format: SinkFormat
    let plan: WriterPlan
    let started: UInt64
    let clock: any PlaybackClock
    private let signal: WakeSignal
    private let writer: WriterBox
    private let producer: Mutex<Producer>
    private let end = Mutex(End())
    /// Samples accepted, at the source's rate.
    private let accepted = Atomic<Int>(0)

    init(
        sink: any AudioSink, clock: any PlaybackClock, sourceRate: Int, strategy: PlaybackStrategy,
        configuration: OutputConfiguration, volume: Float, fadesEnds: Bool = true,
        queueLimit: Int = .max
    ) throws(PlaybackError) {
        signal = try WakeSignal()
        queue = SampleQueue(limit: queueLimit)
        self.clock = clock
        self.sourceRate = sourceRate
        started = clock.nanoseconds
        format = try sink.open(sampleRate: sourceRate, bufferSeconds: configuration.deviceBuffer)
        plan = WriterPlan(
            format: format, bufferSeconds: configuration.deviceBuffer, leadInSeconds: configuration.leadIn,
            fadesEnds: fadesEnds)
        controls.volume = volume
        writer = WriterBox(
            writer: DeviceWriter(controls: controls, queue: queue, sink: sink, clock: clock, plan: plan))
        let reserve = Double(plan.reserve) / Double(plan.sampleRate)
        let policy = BufferPolicy(strategy: strategy, reserve: reserve)
        do {
            let resampler = try Resampler(from: Double(sourceRate), to: Double(format.sampleRate))
            producer = Mutex(Producer(resampler: resampler, policy: policy))
        } catch {
            sink.close()
            throw .unsupportedFormat(
                device: format.detail, detail: "no conversion from \(sourceRate) to \(format.sampleRate) Hz")
        }
        set(policy.gate(lead: 0, underruns: 0))
    }

    // MARK: Producer

    func enqueue(_ samples: Span<Float>, step: GenerationStep?) throws(PlaybackError) {
        if let failure = end.withLock({ $0.failure }) { throw failure }
        let converted: Result<Void, PlaybackError> = producer.withLock { producer in
            guard !producer.finished, controls.mode != .ended else { return .failure(.notPlaying) }
            // Before anything takes note of the samples, so that whoever is refused can hand them over again. Room
            // for what the converter gives at the end stays free.
            let most = producer.resampler.maximumOutput(for: samples.count)
            guard queue.room - producer.resampler.largestRest >= most else {
                return .failure(.queueFull(limitSeconds: Double(queue.limit) / Double(plan.sampleRate)))
            }
            let audio = producer.resampler.convert(samples)
            if let step {
                producer.policy.record(step, audio: Double(samples.count) / Double(sourceRate))
            }
            // Before the samples: the writer must not start by the gate of an earlier step.
            updateGate(&producer, adding: audio.count)
            let isQueued = queue.append(audio.span)
            assert(isQueued, "the room was asked for")
            accepted.add(samples.count, ordering: .relaxed)
            return .success(())
        }
        signal.wake()
        try converted.get()
    }

    func setBuffer(seconds: Double) {
        producer.withLock { producer in
            producer.policy.fixed = seconds
            updateGate(&producer, adding: 0)
        }
        signal.wake()
    }

    private func updateGate(_ producer: inout Producer, adding count: Int) {
        let lead = Double(queue.count + count) / Double(plan.sampleRate)
        // The underrun that is going on counts: it is what calls for a larger cushion.
        let underruns = controls.underruns.load(ordering: .relaxed) + (controls.mode == .gap ? 1 : 0)
        set(producer.policy.gate(lead: lead, underruns: underruns))
    }

    /// Called when a step has just come, or when the gate depends on no step.
    private func set(_ gate: BufferPolicy.Gate) {
        let samples = gate.seconds * Double(plan.sampleRate)
        controls.gate.store(samples < 0x1p62 ? Int(samples) : .max, ordering: .releasing)
        let wait = gate.wait * 1e9
        controls.gateTime.store(wait < 0x1p62 ? clock.nanoseconds + UInt64(wait) : .max, ordering: .releasing)
    }

    /// No more audio follows.
    func finish() {
        producer.withLock { producer in
            guard !producer.finished else { return }
            producer.finished = true
            let rest = producer.resampler.finish()
            let isQueued = queue.append(rest.span)
            assert(isQueued, "every chunk left room for the rest")
            controls.finished.store(true, ordering: .releasing)
        }
        signal.wake()
    }

    // MARK: Orders

    func stop() {
        controls.stopRequested.store(true, ordering: .releasing)
        signal.wake()
    }

    func setPaused(_ paused: Bool) {
        controls.pauseRequested.store(paused, ordering: .releasing)
        signal.wake()
    }

    // MARK: Reports

    var failure: PlaybackError? { end.withLock { $0.failure } }

    var scheduledSeconds: Double { Double(accepted.load(ordering: .relaxed)) / Double(sourceRate) }

    /// Seconds of audio heard.
    var heardSeconds: Double {
        min(Double(controls.heard.load(ordering: .relaxed)) / Double(plan.sampleRate), scheduledSeconds)
    }

    /// Seconds queued and not heard.
    var leadSeconds: Double {
        Double(queue.count + controls.pending.load(ordering: .relaxed)) / Double(plan.sampleRate)
    }

    /// Seconds still to be collected before something is heard.
    var silentSeconds: Double {
        let mode = controls.mode
        guard mode == .waiting || mode == .gap, !controls.finished.load(ordering: .relaxed) else { return 0 }
        let gate = controls.gate.load(ordering: .relaxed)
        guard gate < .max else { return .infinity }
        return Double(max(0, max(gate, plan.reserve) - queue.count)) / Double(plan.sampleRate)
    }

    /// Seconds that the strategy wants queued at this moment.
    var requiredLead: Double {
        let underruns = controls.underruns.load(ordering: .relaxed)
        return producer.withLock { $0.policy.requiredLead(underruns: underruns) }
    }

    var firstSoundSeconds: Double? {
        let time = controls.firstSound.load(ordering: .acquiring)
        return time == 0 ? nil : Double(time - min(time, started)) / 1e9
    }

    // MARK: The writer

    /// Makes one turn of the writer. For tests that move the clock themselves; a session has either this or a thread.
    func turn() -> DeviceWriter.Next {
        let next = writer.writer.turn()
        if next == .ended { reachEnd() }
        return next
    }

    /// Starts the thread that makes the turns.
    func run(realTimePriority: Bool) throws(PlaybackError) {
        let code = startWriterThread(realTimePriority: realTimePriority) { [self] in
            while true {
                switch turn() {
                case .after(let nanoseconds): signal.wait(nanoseconds: nanoseconds)
                case .whenWoken: signal.wait(nanoseconds: nil)
                case .ended: return
                }
            }
        }
        guard code == 0 else {
            writer.writer.end()
            throw .systemResources(operation: "start a thread", code: -code)
        }
    }

    private func reachEnd() {
        let waiting = end.withLock { end in
            end.reached = true
            end.failure = writer.writer.failure
            defer { end.waiting = [] }
            return end.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the device is closed. Cancelling the task stops playback, with a fade.
    func waitForEnd() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let over = end.withLock { end in
                    if !end.reached { end.waiting.append(continuation) }
                    return end.reached
                }
                if over { continuation.resume() }
            }
        } onCancel: {
            stop()
        }
    }
}

extension Resampler {
    /// What `finish` gives at most.
    fileprivate var largestRest: Int { maximumOutput(for: latency + 1) }

    /// `step` from borrowed samples into a new array.
    fileprivate mutating func convert(_ input: Span<Float>) -> [Float] {
        [Float](unsafeUninitializedCapacity: maximumOutput(for: input.count)) { buffer, count in
            buffer.initialize(repeating: 0)
            var output = buffer.mutableSpan
            count = step(input, into: &output).produced
        }
    }
}

/// Carries the writer to its thread.
private struct WriterBox: @unchecked Sendable {
    // SAFETY: after the session's init the writer is used by one thread alone, the one that makes the turns.
    let writer: DeviceWriter
}

import Foundation
import Tensor

/// Renders several sentences of a request at once, each on a thread of its own, and gives their pieces in order.
///
/// A sliding window: as soon as the sentence at the front is complete and taken, another may begin, and no thread
/// waits for a batch. No more inferences are held than the window is wide, twice the number of workers. The samples
/// are those of ``SpeechRenderer``, as they depend on the request and on an inference's number alone.
final class ParallelSpeechRenderer: SpeechReader, @unchecked Sendable {
    // SAFETY: everything that changes is read and written with `condition` locked, except `watch`, which is constant.
    private let condition = NSCondition()
    private let manner: VoiceManner
    private let sampleRate: Int
    private let window: Int
    private let cancellation: SpeechCancellation
    private let watch = PhaseWatch()

    private var sequence: InferenceSequence
    private var remaining = RemainingAudio()
    private var totals = SpeechPhases()
    /// Inferences begun and not yet given, in order.
    private var slots: [Slot] = []
    private var hasEnded = false
    /// Why the text cannot be read on.
    private var failure: SpeechError?

    private final class Slot {
        let inference: Inference
        var steps: [InferenceRenderer.Step] = []
        var renderer: InferenceRenderer?
        var samplesGiven = 0
        /// Thrown once everything before has been given.
        var failure: (any Error)?

        init(_ inference: Inference) { self.inference = inference }
    }

    init(
        voice: Voice, input: SpeechInput, options: GenerationOptions, workers: [WorkerPool],
        cancellation: SpeechCancellation
    ) throws(SpeechError) {
        manner = try VoiceManner(voice, options)
        sequence = try InferenceSequence(
            input, voice: voice, chunking: options.chunking, cancellation: cancellation)
        sampleRate = voice.sampleRate
        window = 2 * workers.count
        self.cancellation = cancellation
        // Weak: a handler must not keep a finished request's audio.
        cancellation.onCancel { [weak self] in self?.wakeAll() }
        for pool in workers { startSpeechThread(name: "sentence") { self.work(pool) } }
    }

    var seed: UInt64 { manner.seed }
    var skippedPhonemes: Set<Unicode.Scalar> { locked { sequence.skipped } }
    var phases: SpeechPhases { locked { totals } }

    func next() throws -> SpeechPiece? {
        condition.lock()
        defer { condition.unlock() }
        while true {
            try cancellation.check()
            if let slot = slots.first, let renderer = slot.renderer, let step = slot.steps.first {
                // Whether it is the last is known once another has begun or the text has ended.
                if !step.isFinished || slots.count > 1 || hasEnded || failure != nil {
                    return give(slot, renderer)
                }
            } else if let error = slots.first?.failure {
                throw error
            } else if slots.isEmpty {
                if let failure { throw failure }
                if hasEnded { return nil }
            }
            condition.wait()
        }
    }

    private func give(_ slot: Slot, _ renderer: InferenceRenderer) -> SpeechPiece {
        let step = slot.steps.removeFirst()
        slot.samplesGiven += step.samples.count
        let planned = slots.reduce(0) { $0 + ($1.renderer?.samples ?? 0) - $1.samplesGiven }
        let left = Double(planned) + remaining.samples(ofWeight: sequence.remainingWeight)
        let isLast = step.isFinished && slots.count == 1
        if step.isFinished {
            slots.removeFirst()
            condition.broadcast()
        }
        let made = slot.steps.map { Double($0.samples.count) / Double(sampleRate) }
        return SpeechPiece(
            renderer, step, isLast: isLast, remaining: left / Double(sampleRate),
            outlook: SpeechOutlook(coming: made))
    }

    // MARK: The workers

    private func work(_ pool: WorkerPool) {
        while let slot = begin() {
            var spent = SpeechPhases()
            do {
                let renderer = try watch.measure(&spent.encoding) {
                    try InferenceRenderer(
                        slot.inference, manner, workers: pool, wantsAll: true, cancellation: cancellation)
                }
                locked {
                    slot.renderer = renderer
                    remaining.planned(slot.inference, samples: renderer.samples)
                }
                while !renderer.isFinished {
                    let step = try watch.measure(&spent.decoding) { () throws(CancellationError) in
                        try renderer.step()
                    }
                    locked { slot.steps.append(step) }
                }
                locked {
                    totals.encoding += spent.encoding
                    totals.decoding += spent.decoding
                }
            } catch {
                locked {
                    slot.failure = error
                    hasEnded = true
                }
            }
        }
    }

    /// The next inference, once there is room for it; nil when there is nothing more to do.
    private func begin() -> Slot? {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        while slots.count >= window, failure == nil, !cancellation.isCancelled { condition.wait() }
        guard failure == nil, !hasEnded, !cancellation.isCancelled else { return nil }
        do throws(SpeechError) {
            // Under the lock, as the text is read in order.
            guard let inference = try watch.measure(&totals.reading, { () throws(SpeechError) in try sequence.next() })
            else {
                hasEnded = true
                return nil
            }
            let slot = Slot(inference)
            slots.append(slot)
            return slot
        } catch {
            failure = error
            return nil
        }
    }

    private func wakeAll() { locked {} }

    /// Runs `body` with the lock held and wakes whoever waits for a change.
    private func locked<Result>(_ body: () -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body()
    }
}

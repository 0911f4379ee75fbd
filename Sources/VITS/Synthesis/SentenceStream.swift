import Glibc
import Tensor

/// The flow and the decoder of one sentence, run in steps of frames with carried state.
///
/// No frame is computed twice, and any step sizes give the same samples (within rounding) as one
/// pass. Memory depends on the largest step, not on the sentence. One thread at a time.
public final class SentenceStream {
    private let model: VITSModel
    private let plan: SentencePlan
    private let workers: WorkerPool
    private let noise: () -> Float
    private let kernels: KernelPlan
    /// `[T, latent]`: the input of each coupling; the last one's output is the decoder's input.
    private let latents: [RowWindow]
    private let couplings: [Coupling.State]
    private let decoder: Decoder.State
    /// The id whose frames come next, and those of it that are left.
    private var nextId = 0
    private var remaining = 0
    /// exp(logs) times the noise scale of the id at hand, and its mean.
    private var deviation: [Float]
    private var mean: [Float]
    /// Called with what was computed, for the golden check.
    package var observer: ((_ latent: Latent, _ rows: [Float]) -> Void)?

    package enum Latent { case prior, flowOutput }

    /// - Parameters:
    ///   - step: the largest step that will be asked for, in frames.
    ///   - noise: called for `[frames, latent]` unit-normal numbers, in order.
    public init(
        _ model: VITSModel, plan: SentencePlan, step: Int, workers: WorkerPool, noise: @escaping () -> Float
    ) {
        self.model = model
        self.plan = plan
        self.workers = workers
        self.noise = noise
        kernels = model.kernelPlan(ids: plan.durations.count)
        decoder = Decoder.State(
            model.decoder, frames: plan.frames, step: step, speaker: plan.speaker, plan: kernels)
        couplings = model.couplings.map {
            Coupling.State($0, frames: plan.frames, step: step, speaker: plan.speaker)
        }
        latents = model.couplings.map { coupling in
            let delay = coupling.layers.reduce(0) { $0 + $1.dilated.padding }
            let window = RowWindow(channels: model.latentChannels, capacity: min(step, plan.frames) + 2 * delay + 1)
            window.reset(length: plan.frames, padding: 0)
            return window
        } + [decoder.input]
        deviation = [Float](repeating: 0, count: model.latentChannels)
        mean = deviation
        nextId = -1
    }

    /// Frames that have gone in.
    public var framesTaken: Int { latents[0].end }
    /// Samples that have come out.
    public var samplesMade: Int { decoder.audio.end }
    /// Samples of the whole sentence.
    public var samples: Int { decoder.audio.length }
    public var isFinished: Bool { samplesMade == samples }

    /// Takes in up to `frames` more frames and appends the samples that become final to `audio`.
    ///
    /// The first samples come some 45 frames behind the first frames, and with the last frame all
    /// that is left: the layers look ahead.
    public func step(frames: Int, into audio: inout [Float]) {
        let first = latents[0].end
        let count = min(max(frames, 1), plan.frames - first)
        if count > 0 {
            latents[0].append(count)
            for t in first..<first + count { expand(row: t) }
            if let observer, !model.startsFlipped {
                observer(.prior, latents[0].copy(rows: first..<first + count))
            }
        }
        for (i, coupling) in model.couplings.enumerated() {
            let before = latents[i + 1].end
            coupling.advance(latents[i], to: latents[i + 1], state: couplings[i], form: kernels.flow, pool: workers)
            if i == couplings.count - 1, let observer {
                observer(.flowOutput, latents[i + 1].copy(rows: before..<latents[i + 1].end))
            }
        }
        let made = decoder.audio.end
        model.decoder.advance(decoder, isEager: made == 0, plan: kernels, pool: workers)
        let new = made..<decoder.audio.end
        decoder.audio.appendRows(new, to: &audio)
        decoder.audio.discard(before: new.upperBound)
    }

    /// z_p = m_p + ε·exp(logs_p)·noise scale, of the id that frame `row` belongs to.
    private func expand(row: Int) {
        if remaining == 0 { advanceId() }
        if remaining > 0 { remaining -= 1 }
        let last = mean.count - 1
        let isFlipped = model.startsFlipped
        latents[0].withRow(row) { z in
            for c in 0...last { z[isFlipped ? last - c : c] = mean[c] + noise() * deviation[c] }
        }
    }

    private func advanceId() {
        repeat { nextId += 1 } while nextId < plan.durations.count && plan.durations[nextId] == 0
        let latent = mean.count
        guard nextId < plan.durations.count else {
            // A sentence without a frame is given one: mean 0, deviation 1.
            for c in 0..<latent {
                mean[c] = 0
                deviation[c] = plan.request.noiseScale
            }
            return
        }
        remaining = plan.durations[nextId]
        plan.statistics.withRow(nextId) { row in
            for c in 0..<latent {
                mean[c] = row[c]
                deviation[c] = exp(row[latent + c]) * plan.request.noiseScale
            }
        }
    }
}

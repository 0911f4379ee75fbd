import Glibc
import Tensor

/// The prior sample and the flow of one sentence, run in steps of frames with carried state.
final class FlowStream {
    private let model: VITSModel
    private let plan: SentencePlan
    private let workers: WorkerPool
    private let form: ConvolutionForm
    private let noise: () -> Float
    private let states: [Coupling.State]
    /// `[T, latent]`: the input of each coupling.
    private let inputs: [RowWindow]
    /// `[T, latent]`: the frames that are done; whoever reads them discards them.
    let output: RowWindow
    /// The id whose frames come next, and those of it that are left.
    private var nextId = -1
    private var remaining = 0
    /// The mean of the id at hand, and exp(logs) times the noise scale.
    private var mean: [Float]
    private var deviation: [Float]
    private var stopwatch = Stopwatch()
    /// Called with the frames that went in, for the golden check.
    var observer: ((_ prior: [Float]) -> Void)?

    /// - Parameters:
    ///   - step: the most frames that are usually taken in at once.
    ///   - noise: called for `[frames, latent]` unit-normal numbers, in order.
    init(_ model: VITSModel, plan: SentencePlan, step: Int, workers: WorkerPool, noise: @escaping () -> Float)
    {
        self.model = model
        self.plan = plan
        self.workers = workers
        self.noise = noise
        form = model.kernelPlan(ids: plan.durations.count).flow
        states = model.couplings.map {
            Coupling.State($0, frames: plan.frames, step: step, speaker: plan.speaker)
        }
        let windows = model.couplings.map { coupling in
            let window = RowWindow(
                channels: model.latentChannels, capacity: min(step, plan.frames) + 2 * coupling.reach + 1)
            window.reset(length: plan.frames, padding: 0)
            return window
        }
        inputs = windows
        output = RowWindow(channels: model.latentChannels, capacity: min(2 * step, plan.frames))
        output.reset(length: plan.frames, padding: 0)
        mean = [Float](repeating: 0, count: model.latentChannels)
        deviation = mean
    }

    /// Frames that have gone in.
    var taken: Int { inputs[0].end }
    /// Seconds spent so far.
    var seconds: Double { stopwatch.seconds }

    /// Takes in up to `frames` more frames, and appends those that become final to `output`.
    func advance(frames: Int) {
        stopwatch.measure {
            let first = taken
            let count = min(frames, plan.frames - first)
            inputs[0].append(count)
            for row in first..<first + count { expand(row: row) }
            if let observer { observer(prior(rows: first..<first + count)) }
            for (i, coupling) in model.couplings.enumerated() {
                let next = i + 1 < inputs.count ? inputs[i + 1] : output
                coupling.advance(inputs[i], to: next, state: states[i], form: form, pool: workers)
            }
        }
    }

    /// z_p = m_p + ε·exp(logs_p)·noise scale, of the id that frame `row` belongs to.
    private func expand(row: Int) {
        if remaining == 0 { advanceId() }
        if remaining > 0 { remaining -= 1 }
        let last = mean.count - 1
        let isFlipped = model.startsFlipped
        inputs[0].withRow(row) { z in
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

    /// Frames that went in, in the channels' own order.
    private func prior(rows: Range<Int>) -> [Float] {
        let values = inputs[0].copy(rows: rows)
        guard model.startsFlipped else { return values }
        let channels = mean.count
        return values.indices.map { values[$0 / channels * channels + channels - 1 - $0 % channels] }
    }
}

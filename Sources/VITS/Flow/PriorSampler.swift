import Glibc
import Tensor

/// Draws the prior sample of a sentence, frame by frame:
///
///     z_p = m_p + ε·exp(logs_p)·noise scale
///
/// with the statistics of the id that the frame belongs to.
final class PriorSampler {
    private let plan: SentencePlan
    private let noise: () -> Float
    /// Whether the flow takes the channels back to front.
    private let isFlipped: Bool
    /// The id whose frames come next, and those of it that are left.
    private var nextId = -1
    private var remaining = 0
    /// The mean of the id at hand, and exp(logs) times the noise scale.
    private var mean: [Float]
    private var deviation: [Float]

    init(_ plan: SentencePlan, latent: Int, isFlipped: Bool, noise: @escaping () -> Float) {
        self.plan = plan
        self.isFlipped = isFlipped
        self.noise = noise
        mean = [Float](repeating: 0, count: latent)
        deviation = mean
    }

    /// Appends the frames up to `end`.
    /// - Returns: those that are new.
    func append(to window: RowWindow, until end: Int) -> Range<Int> {
        let rows = window.end..<max(window.end, end)
        window.append(rows.count)
        for row in rows {
            if remaining == 0 { advanceId() }
            if remaining > 0 { remaining -= 1 }
            let last = mean.count - 1
            window.withRow(row) { z in
                for c in 0...last { z[isFlipped ? last - c : c] = mean[c] + noise() * deviation[c] }
            }
        }
        return rows
    }

    /// Frames with their channels in order again.
    func unflipped(_ values: [Float]) -> [Float] {
        guard isFlipped else { return values }
        let channels = mean.count
        return values.indices.map { values[$0 / channels * channels + channels - 1 - $0 % channels] }
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

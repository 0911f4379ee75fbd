import Foundation
import Synchronization
import Tensor
import VITS

/// How far a computed tensor lies from the reference, and whether that is near enough.
package struct GoldenComparison: Sendable {
    package let tensor: String
    /// The largest absolute difference; infinite where the counts differ or a value is not a number.
    package let maximumError: Double
    /// Signal-to-noise ratio in dB; infinite for equal tensors.
    package let signalToNoise: Double
    package let isWithinBounds: Bool

    /// The least SNR in dB, and the largest error, that each tensor is held to.
    package static let bounds: [(tensor: String, signalToNoise: Double, maximumError: Double)] = [
        ("m_p", 90, .infinity), ("logs_p", 90, .infinity), ("logw", 90, .infinity),
        ("w_ceil", .infinity, 0), ("z_p", 90, .infinity), ("z", 90, .infinity), ("audio", 80, 5e-4),
    ]

    package init(tensor: String, computed: [Float], reference: [Float]) {
        self.tensor = tensor
        var signal = 0.0
        var noise = 0.0
        var largest = computed.count == reference.count ? 0.0 : Double.infinity
        for (a, b) in zip(computed, reference) {
            let difference = abs(Double(a) - Double(b))
            signal += Double(b) * Double(b)
            noise += difference * difference
            largest = difference <= largest ? largest : (difference.isNaN ? .infinity : difference)
        }
        maximumError = largest
        signalToNoise =
            largest == .infinity
            ? -.infinity
            : noise == 0 ? .infinity : 10 * log10(signal / noise)
        let bound = Self.bounds.first { $0.tensor == tensor }
        isWithinBounds =
            signalToNoise >= (bound?.signalToNoise ?? 90)
            && maximumError <= (bound?.maximumError ?? .infinity)
    }
}

extension GoldenCase {
    /// Runs the sentence with the case's noise and compares every stage.
    /// - Parameter step: frames a step of the decoder; nil for all in one.
    package func run(_ model: VITSModel, step: Int? = nil, workers: WorkerPool) throws -> [GoldenComparison] {
        let durationNoise = try timeMajor("noise_dp")
        let priorNoise = try timeMajor("noise_z")
        var nextDuration = durationNoise.makeIterator()
        var nextPrior = priorNoise.makeIterator()
        let request = SentenceRequest(
            ids: ids, speaker: min(speaker, model.speakers - 1), noiseScale: scales[0],
            lengthScale: scales[1], noiseWidth: scales[2])
        let plan = try model.plan(request, workers: workers) { nextDuration.next() ?? .nan }

        guard plan.frames == frames else {
            throw GoldenError(
                "case \(name) has \(frames) frames, the voice makes \(plan.frames)")
        }

        let size = step ?? plan.frames
        let stream = SentenceStream(
            model, plan: plan, largestStep: size, passes: PieceSizes(each: size), workers: workers
        ) { nextPrior.next() ?? .nan }
        // The flow and the decoder hand theirs over from threads of their own.
        let observed = Mutex<[SentenceStream.Latent: [Float]]>([:])
        stream.observer = { latent, rows in observed.withLock { $0[latent, default: []] += rows } }
        var audio: [Float] = []
        while !stream.isFinished { stream.step(size, into: &audio) }
        let latents = observed.withLock { $0 }

        return try [
            ("m_p", plan.prior.mean), ("logs_p", plan.prior.logDeviation), ("logw", plan.logDurations),
            ("w_ceil", plan.durations.map(Float.init)), ("z_p", latents[.prior] ?? []),
            ("z", latents[.flowOutput] ?? []), ("audio", audio),
        ].map { name, computed in
            GoldenComparison(tensor: name, computed: computed, reference: try timeMajor(name))
        }
    }
}

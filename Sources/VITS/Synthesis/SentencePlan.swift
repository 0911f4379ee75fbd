import Glibc
import Tensor

/// What is asked of one inference.
package struct SentenceRequest: Sendable {
    /// Phoneme ids, with the begin, end and pad ids that the voice was trained with.
    package var ids: [Int]
    package var speaker: Int
    /// Variance of the prior sample: how lively the voice sounds.
    package var noiseScale: Float
    /// Factor of all durations; 2 is half as fast.
    package var lengthScale: Float
    /// Variance of the durations.
    package var noiseWidth: Float

    package init(
        ids: [Int], speaker: Int = 0, noiseScale: Float = 0.667, lengthScale: Float = 1,
        noiseWidth: Float = 0.8
    ) {
        self.ids = ids
        self.speaker = speaker
        self.noiseScale = noiseScale
        self.lengthScale = lengthScale
        self.noiseWidth = noiseWidth
    }
}

/// A sentence after its encoder and durations: its length is known to the sample.
package struct SentencePlan {
    let request: SentenceRequest
    /// `[Tx, 2·latent]`.
    let statistics: RowWindow
    /// `[Tx]`: before the length scale.
    package let logDurations: [Float]
    /// `[Tx]`: frames of each id.
    package let durations: [Int]
    /// Frames of the sentence, at least 1.
    package let frames: Int
    let speaker: [Float]?
    /// Seconds spent in the text encoder and in the duration predictor; without the making of weights for the first
    /// sentence of a plan.
    package let times: (encoder: Double, durations: Double)

    /// The prior's mean and log-deviation of every id, `[Tx, latent]` each, for tests.
    package var prior: (mean: [Float], logDeviation: [Float]) {
        let latent = statistics.channels / 2
        let all = statistics.copy(rows: 0..<statistics.length)
        var mean: [Float] = []
        var logDeviation: [Float] = []
        for t in 0..<statistics.length {
            mean += all[2 * latent * t..<2 * latent * t + latent]
            logDeviation += all[2 * latent * t + latent..<2 * latent * (t + 1)]
        }
        return (mean, logDeviation)
    }
}

extension VITSModel {
    /// Runs the text encoder and the duration predictor: all that needs the whole sentence.
    ///
    /// - Parameters:
    ///   - cancellation: looked at before each layer.
    ///   - durationNoise: called for `[Tx, 2]` unit-normal numbers, in order.
    /// - Throws: `VITSError` for ids, speaker or scales out of range, for lengths beyond the limits, for a voice file that has been
    ///   truncated, and `cancelled`.
    package func plan(
        _ request: SentenceRequest, workers: WorkerPool, cancellation: CancelFlag = CancelFlag(),
        durationNoise: () -> Float
    ) throws(VITSError) -> SentencePlan {
        try check(request)
        guard file.isWhole else { throw .fileTruncated }
        let speaker = try speakerVector(request.speaker)
        let kernels = kernelPlan(ids: request.ids.count)
        weightPreparation.make(kernels, of: self, workers: workers) { cancellation.isSet }
        if cancellation.isSet { throw .cancelled }
        let start = Stopwatch.now
        let encoded = textEncoder(request.ids, form: kernels.encoder, pool: workers) { cancellation.isSet }
        if cancellation.isSet { throw .cancelled }
        let encodedAt = Stopwatch.now
        var noise = [Float](repeating: 0, count: 2 * request.ids.count)
        if hasStochasticDurations {
            for i in noise.indices { noise[i] = durationNoise() * request.noiseWidth }
        }
        let logDurations = durationPredictor.logDurations(
            encoded.hidden, noise: noise, speaker: speaker, form: kernels.durations, pool: workers
        ) { cancellation.isSet }
        if cancellation.isSet { throw .cancelled }
        var durations: [Int] = []
        var frames = 0
        for value in logDurations {
            let width = (exp(value) * request.lengthScale).rounded(.up)
            // Not a number counts as no frame.
            let duration = width > 0 ? Int(min(width, Float(Self.maximumFrames) + 1)) : 0
            durations.append(duration)
            frames += duration
            guard frames <= Self.maximumFrames else {
                throw .tooLong(what: "frames", count: frames, limit: Self.maximumFrames)
            }
        }
        return SentencePlan(
            request: request, statistics: encoded.statistics, logDurations: logDurations,
            durations: durations, frames: max(frames, 1), speaker: speaker,
            times: (encodedAt - start, Stopwatch.now - encodedAt))
    }

    private func check(_ request: SentenceRequest) throws(VITSError) {
        guard request.ids.count <= Self.maximumIds else {
            throw .tooLong(what: "phoneme ids", count: request.ids.count, limit: Self.maximumIds)
        }
        for id in request.ids where id < 0 || id >= symbols {
            throw .idOutOfRange(id: id, symbols: symbols)
        }
        for (name, value, isValid) in [
            ("noise scale", request.noiseScale, request.noiseScale >= 0),
            ("length scale", request.lengthScale, request.lengthScale > 0),
            ("noise width", request.noiseWidth, request.noiseWidth >= 0),
        ] where !isValid || !value.isFinite {
            throw .scale(name: name, value: value)
        }
    }
}

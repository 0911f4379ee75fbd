import Tensor

/// Predicts how many frames each phoneme id lasts.
enum DurationPredictor: Sendable {
    case stochastic(StochasticDurationPredictor)
    case plain(PlainDurationPredictor)

    /// - Parameters:
    ///   - hidden: the text encoder's output, `[Tx, hidden]`.
    ///   - noise: `[Tx, 2]`, already times the noise scale; the plain predictor takes none.
    ///   - speaker: `[gin]`, or nil.
    ///   - isCancelled: asked before each layer; once it is true the layers that are left are skipped.
    /// - Returns: the natural logarithm of the frames a phoneme id, `[Tx]`.
    func logDurations(
        _ hidden: RowWindow, noise: [Float], speaker: [Float]?, form: ConvolutionForm, pool: WorkerPool,
        isCancelled: () -> Bool = { false }
    ) -> [Float] {
        switch self {
        case .stochastic(let predictor):
            predictor.logDurations(
                hidden, noise: noise, speaker: speaker, form: form, pool: pool, isCancelled: isCancelled)
        case .plain(let predictor):
            predictor.logDurations(hidden, speaker: speaker, form: form, pool: pool, isCancelled: isCancelled)
        }
    }
}

/// Two convolutions with normalisation, and a projection to one number.
struct PlainDurationPredictor: Sendable {
    let first: Convolution
    let firstNorm: LayerNorm
    let second: Convolution
    let secondNorm: LayerNorm
    let projection: Convolution
    /// gin → hidden; nil without speakers.
    let condition: Convolution?

    func logDurations(
        _ hidden: RowWindow, speaker: [Float]?, form: ConvolutionForm, pool: WorkerPool, isCancelled: () -> Bool
    ) -> [Float] {
        let rows = 0..<hidden.length
        let input = RowWindow(rows: rows.count, channels: hidden.channels, padding: first.padding)
        input.set(to: hidden, rows: rows)
        if let condition, let speaker {
            let vector = condition.vector(speaker)
            input.addToEachRow(vector, rows: rows)
        }
        let nothing = [Float](repeating: 0, count: rows.count)
        if isCancelled() { return nothing }
        let a = RowWindow(rows: rows.count, channels: first.outputChannels, padding: second.padding)
        first.apply(input, rows: rows, to: a, form: form, pool: pool)
        a.applyReLU(rows: rows)
        firstNorm.apply(a, rows: rows)
        if isCancelled() { return nothing }
        let b = RowWindow(rows: rows.count, channels: second.outputChannels)
        second.apply(a, rows: rows, to: b, form: form, pool: pool)
        b.applyReLU(rows: rows)
        secondNorm.apply(b, rows: rows)
        let logDuration = RowWindow(rows: rows.count, channels: 1)
        projection.apply(b, rows: rows, to: logDuration, form: form, pool: pool)
        return logDuration.copy(rows: rows)
    }
}

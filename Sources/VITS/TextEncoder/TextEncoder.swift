import Tensor

/// The text encoder: phoneme ids to the prior's mean and log-deviation of each.
///
/// Transformer blocks with relative attention and convolutional feed-forward layers, normalised
/// after each residual sum (Kim et al. 2021, "Conditional Variational Autoencoder with Adversarial
/// Learning for End-to-End Text-to-Speech", section 2.2.1).
struct TextEncoder: Sendable {
    /// `[symbols, hidden]`, times √hidden.
    let embedding: [Float]
    let symbols: Int
    let hidden: Int
    let layers: [Layer]
    /// hidden → 2·latent: mean and log-deviation.
    let projection: Convolution

    var latent: Int { projection.outputChannels / 2 }

    struct Layer: Sendable {
        /// hidden → hidden each; the query is divided by √(hidden / heads).
        let query: Convolution
        let key: Convolution
        let value: Convolution
        let attention: RelativeAttention
        let output: Convolution
        let attentionNorm: LayerNorm
        let expand: Convolution
        let contract: Convolution
        let feedForwardNorm: LayerNorm
    }

    /// What the encoder gives for `Tx` ids.
    struct Output {
        /// `[Tx, hidden]`, the duration predictor's input.
        let hidden: RowWindow
        /// `[Tx, 2·latent]`: the mean in the first half of a row, the log-deviation in the second.
        let statistics: RowWindow
    }

    /// - Parameters:
    ///   - ids: each in 0 ..< symbols.
    ///   - isCancelled: asked before each layer; once it is true the layers that are left are skipped.
    func callAsFunction(
        _ ids: [Int], form: ConvolutionForm, pool: WorkerPool, isCancelled: () -> Bool = { false }
    ) -> Output {
        let length = ids.count
        let rows = 0..<length
        let convPadding = layers.map { max($0.expand.padding, trailing($0.expand)) }.max() ?? 0
        let x = RowWindow(rows: length, channels: hidden, padding: convPadding)
        for (t, id) in ids.enumerated() {
            x.withRow(t) { row in
                for c in 0..<hidden { row[c] = embedding[id * hidden + c] }
            }
        }
        let projected = RowWindow(rows: length, channels: 3 * hidden)
        let attended = RowWindow(rows: length, channels: hidden)
        for layer in layers {
            if isCancelled() { break }
            for (i, projection) in [layer.query, layer.key, layer.value].enumerated() {
                projection.apply(
                    x, rows: rows, to: projected, outputColumn: i * hidden, form: form, pool: pool)
            }
            layer.attention.apply(projected, to: attended, pool: pool)
            layer.output.apply(attended, rows: rows, to: x, mode: .add, form: form, pool: pool)
            pool.runRows(rows) { layer.attentionNorm.apply(x, rows: $0) }
            let wide = RowWindow(
                rows: length, channels: layer.expand.outputChannels,
                padding: max(layer.contract.padding, trailing(layer.contract)))
            layer.expand.apply(x, rows: rows, to: wide, form: form, pool: pool)
            pool.runRows(rows) { wide.applyReLU(rows: $0) }
            layer.contract.apply(wide, rows: rows, to: x, mode: .add, form: form, pool: pool)
            pool.runRows(rows) { layer.feedForwardNorm.apply(x, rows: $0) }
        }
        let statistics = RowWindow(rows: length, channels: projection.outputChannels)
        projection.apply(x, rows: rows, to: statistics, form: form, pool: pool)
        return Output(hidden: x, statistics: statistics)
    }

    /// Rows that a convolution reads behind the row it writes.
    private func trailing(_ layer: Convolution) -> Int { (layer.kernel - 1) * layer.dilation - layer.padding }
}

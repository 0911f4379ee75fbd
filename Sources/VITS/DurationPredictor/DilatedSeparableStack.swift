import Tensor

/// Residual blocks of depthwise-dilated and pointwise convolutions, each followed by layer
/// normalisation and GELU: the "DDSConv" of VITS.
struct DilatedSeparableStack: Sendable {
    struct Layer: Sendable {
        let depthwise: DepthwiseConvolution
        let depthwiseNorm: LayerNorm
        let pointwise: Convolution
        let pointwiseNorm: LayerNorm
    }

    let layers: [Layer]

    var padding: Int { layers.map(\.depthwise.padding).max() ?? 0 }

    /// Runs in place on all rows of `x`, whose padding is at least `padding`.
    func apply(_ x: RowWindow, form: ConvolutionForm, pool: WorkerPool, isCancelled: () -> Bool) {
        let rows = 0..<x.length
        let y = RowWindow(rows: rows.count, channels: x.channels)
        let z = RowWindow(rows: rows.count, channels: x.channels)
        for layer in layers {
            if isCancelled() { break }
            pool.runRows(rows) { rows in
                layer.depthwise.apply(x, rows: rows, to: y)
                layer.depthwiseNorm.apply(y, rows: rows)
                y.applyGELU(rows: rows)
            }
            layer.pointwise.apply(y, rows: rows, to: z, form: form, pool: pool)
            pool.runRows(rows) { rows in
                layer.pointwiseNorm.apply(z, rows: rows)
                z.applyGELU(rows: rows)
                x.add(z, rows: rows)
            }
        }
    }
}

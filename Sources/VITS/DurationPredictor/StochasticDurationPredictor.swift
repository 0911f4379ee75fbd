import Tensor

/// The stochastic duration predictor, run backwards: noise to log durations through spline flows
/// that are conditioned on the text (Kim et al. 2021, section 2.2.2 and appendix A).
struct StochasticDurationPredictor: Sendable {
    let pre: Convolution
    let stack: DilatedSeparableStack
    let projection: Convolution
    /// gin → hidden; nil without speakers.
    let condition: Convolution?
    /// In the order in which they run backwards, a channel flip before each.
    let flows: [SplineFlow]
    /// The last, element-wise flow: m and exp(−logs) of both channels.
    let shift: [Float]
    let factor: [Float]

    /// A flow on two channels: the second is warped by a spline that the first and the text choose.
    struct SplineFlow: Sendable {
        let pre: Convolution
        let stack: DilatedSeparableStack
        let projection: Convolution
        /// Bins of the spline.
        let bins: Int
        /// What the logits of widths and heights are divided by: √filter channels.
        let logitScale: Float
    }

    func logDurations(
        _ hidden: RowWindow, noise: [Float], speaker: [Float]?, form: ConvolutionForm, pool: WorkerPool,
        isCancelled: () -> Bool
    ) -> [Float] {
        let rows = 0..<hidden.length
        let text = RowWindow(rows: rows.count, channels: pre.outputChannels, padding: stack.padding)
        pre.apply(
            hidden, rows: rows, to: text, extraBias: speaker.flatMap { condition?.vector($0) }, form: form,
            pool: pool)
        stack.apply(text, form: form, pool: pool, isCancelled: isCancelled)
        let context = RowWindow(rows: rows.count, channels: projection.outputChannels)
        projection.apply(text, rows: rows, to: context, form: form, pool: pool)

        var first = rows.map { noise[2 * $0] }
        var second = rows.map { noise[2 * $0 + 1] }
        let source = RowWindow(rows: rows.count, channels: 1)
        for flow in flows {
            if isCancelled() { break }
            swap(&first, &second)
            let h = RowWindow(
                rows: rows.count, channels: flow.pre.outputChannels, padding: flow.stack.padding)
            source.write(first.span, at: 0)
            flow.pre.apply(source, rows: rows, to: h, form: form, pool: pool)
            h.add(context, rows: rows)
            flow.stack.apply(h, form: form, pool: pool, isCancelled: isCancelled)
            let parameters = RowWindow(rows: rows.count, channels: flow.projection.outputChannels)
            flow.projection.apply(h, rows: rows, to: parameters, form: form, pool: pool)
            let warped = RowWindow(rows: rows.count, channels: 1)
            pool.runRows(rows) { rows in
                for t in rows {
                    let value = parameters.withRow(t) { row in
                        RationalQuadraticSpline(
                            parameters: row.span, bins: flow.bins, logitScale: flow.logitScale
                        )
                        .inverse(second[t])
                    }
                    warped.withRow(t) { $0[0] = value }
                }
            }
            second = warped.copy(rows: rows)
        }
        swap(&first, &second)
        return first.map { ($0 - shift[0]) * factor[0] }
    }
}

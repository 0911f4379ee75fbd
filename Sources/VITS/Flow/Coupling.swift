import Tensor

/// One affine coupling of the flow, run backwards: half of the channels decide what is taken off
/// the other half, through a WaveNet (Kim et al. 2021, section 2.2.2).
///
///     x₁ ← (x₁ − m(x₀)) · exp(−logs(x₀)),  x₀ unchanged
///
/// The channel flips between couplings move no data: each coupling knows which half, in which
/// order, is its x₀, and its weights are stored in that order.
struct Coupling: Sendable {
    /// half → hidden.
    let pre: Convolution
    let layers: [Layer]
    /// hidden → half (m), or 2·half (m and logs).
    let post: Convolution
    /// gin → 2·hidden·layers; nil without speakers.
    let condition: Convolution?
    /// Where x₀ and x₁ lie in a row of the latent signal.
    let firstColumn: Int
    let secondColumn: Int

    var half: Int { pre.inputChannels }
    var hidden: Int { pre.outputChannels }
    /// Frames that the coupling looks ahead.
    var reach: Int { layers.reduce(0) { $0 + $1.dilated.padding } }
    var isMeanOnly: Bool { post.outputChannels == half }

    struct Layer: Sendable {
        /// hidden → 2·hidden, the gate's two halves.
        let dilated: Convolution
        /// hidden → 2·hidden, residual and skip; in the last layer hidden → hidden, skip alone.
        let residualSkip: Convolution
    }

    /// What a stream carries from step to step.
    final class State {
        /// `[T, hidden]`: the input of each layer.
        let inputs: [RowWindow]
        let gates: [RowWindow]
        let activations: [RowWindow]
        let residuals: [RowWindow]
        /// `[T, hidden]`: the sum of the layers' skips.
        let skip: RowWindow
        let statistics: RowWindow
        /// The speaker's part of each layer's gate, `[2·hidden]`.
        let conditions: [AlignedBuffer?]

        init(_ coupling: Coupling, frames: Int, step: Int, speaker: [Float]?) {
            let hidden = coupling.hidden
            // The last pass also gives what was held back for the look-ahead.
            func window(_ channels: Int, padding: Int = 0) -> RowWindow {
                let rows = min(step + coupling.reach, frames) + 4 * padding + 1
                let window = RowWindow(channels: channels, capacity: rows)
                window.reset(length: frames, padding: padding)
                return window
            }
            inputs = coupling.layers.map { window(hidden, padding: $0.dilated.padding) }
            gates = coupling.layers.map { _ in window(2 * hidden) }
            activations = coupling.layers.map { _ in window(hidden) }
            residuals = coupling.layers.map { window($0.residualSkip.outputChannels) }
            skip = RowWindow(channels: hidden, capacity: min(step, frames) + 2 * coupling.reach + 1)
            skip.reset(length: frames, padding: 0)
            statistics = window(coupling.post.outputChannels)
            if let condition = coupling.condition, let speaker {
                let all = condition.vector(speaker).array
                conditions = coupling.layers.indices.map { i in
                    AlignedBuffer(all[2 * hidden * i..<2 * hidden * (i + 1)])
                }
            } else {
                conditions = coupling.layers.map { _ in nil }
            }
        }
    }

    /// Takes in the rows of `input` that are new, as far as the first layer's input.
    ///
    /// - Parameter input: `[T, latent]`.
    func begin(_ input: RowWindow, state: State, form: ConvolutionForm, pool: WorkerPool) {
        let new = state.inputs[0].end..<input.end
        state.inputs[0].append(new.count)
        pre.apply(input, inputColumn: firstColumn, rows: new, to: state.inputs[0], form: form, pool: pool)
    }

    /// Takes layer `index` as far as its input reaches.
    func advance(layer index: Int, state: State, form: ConvolutionForm, pool: WorkerPool) {
        advance(
            layers[index], index: index, isLast: index == layers.count - 1, state: state, form: form, pool: pool)
    }

    /// Makes what the last layer allows.
    ///
    /// - Parameters:
    ///   - input: `[T, latent]`; rows that are used up are discarded.
    ///   - output: `[T, latent]`; the finished rows are appended.
    func finish(
        _ input: RowWindow, to output: RowWindow, state: State, form: ConvolutionForm, pool: WorkerPool
    ) {
        let done = output.end..<state.residuals[layers.count - 1].end
        guard !done.isEmpty else { return }
        state.statistics.append(done.count)
        post.apply(state.skip, rows: done, to: state.statistics, form: form, pool: pool)
        output.append(done.count)
        output.set(to: input, rows: done)
        output.addColumns(
            of: state.statistics, from: 0, to: secondColumn, count: half, rows: done, factor: -1)
        if !isMeanOnly {
            output.divideByExp(of: state.statistics, from: half, to: secondColumn, count: half, rows: done)
        }
        input.discard(before: done.upperBound)
        state.skip.discard(before: done.upperBound)
        state.statistics.discard(before: done.upperBound)
    }

    private func advance(
        _ layer: Layer, index: Int, isLast: Bool, state: State, form: ConvolutionForm, pool: WorkerPool
    ) {
        let input = state.inputs[index]
        let gate = state.gates[index]
        let activation = state.activations[index]
        let residual = state.residuals[index]
        let rows = gate.end..<layer.dilated.producible(from: input)
        guard !rows.isEmpty else { return }
        gate.append(rows.count)
        layer.dilated.apply(
            input, rows: rows, to: gate, extraBias: state.conditions[index], form: form, pool: pool)
        activation.append(rows.count)
        pool.runRows(rows) { activation.setGate(of: gate, rows: $0) }
        residual.append(rows.count)
        layer.residualSkip.apply(activation, rows: rows, to: residual, form: form, pool: pool)
        if !isLast {
            let next = state.inputs[index + 1]
            next.append(rows.count)
            pool.runRows(rows) { rows in
                next.set(to: input, rows: rows)
                next.addColumns(of: residual, from: 0, count: hidden, rows: rows)
            }
        }
        // The first layer comes before the others to every row, and starts its sum.
        let column = isLast ? 0 : hidden
        if index == 0 {
            state.skip.append(rows.count)
            state.skip.zero(rows: rows)
        }
        pool.runRows(rows) { state.skip.addColumns(of: residual, from: column, count: hidden, rows: $0) }
        gate.discard(before: rows.upperBound)
        activation.discard(before: rows.upperBound)
        residual.discard(before: rows.upperBound)
        input.discard(before: rows.upperBound - layer.dilated.padding)
    }
}

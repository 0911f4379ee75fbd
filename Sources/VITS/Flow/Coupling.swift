import Tensor

/// One affine coupling of the flow, run backwards: half of the channels decide what is taken off
/// the other half, through a WaveNet (Kim et al. 2021, section 2.2.2).
///
///     x₁ ← (x₁ − m(x₀)) · exp(−logs(x₀)),  x₀ unchanged
///
/// The channel flips between couplings move no data: each coupling knows which half, in which
/// order, is its x₀, and its weights are stored in that order.
///
/// WaveNet adds up what its layers skip and then multiplies by a last layer, `post`. That is linear, so here
/// each layer's skip has `post` in its weights and adds to m and logs itself.
struct Coupling: Sendable {
    /// half → hidden.
    let pre: Convolution
    let layers: [Layer]
    /// 1 for m alone, 2 for m and logs.
    let statistics: Int
    /// gin → 2·hidden·layers; nil without speakers.
    let condition: Convolution?
    /// Where x₀ and x₁ lie in a row of the latent signal.
    let firstColumn: Int
    let secondColumn: Int

    var half: Int { pre.inputChannels }
    var hidden: Int { pre.outputChannels }
    /// Frames that the coupling looks ahead.
    var reach: Int { layers.reduce(0) { $0 + $1.dilated.padding } }
    var isMeanOnly: Bool { statistics == 1 }

    struct Layer: Sendable {
        /// hidden → 2·hidden, the gate's two halves.
        let dilated: Convolution
        /// hidden → hidden, added to the layer's input; nil in the last layer.
        let residual: Convolution?
        /// hidden → half, for m and, if there are any, logs: the layer's skip and `post` in one.
        let skips: [Convolution]
    }

    /// What a stream carries from step to step.
    final class State {
        /// `[T, hidden]`: the input of each layer.
        let inputs: [RowWindow]
        let gates: [RowWindow]
        let activations: [RowWindow]
        /// `[T, half]` or `[T, 2·half]`: m and logs, to which the layers add.
        let statistics: RowWindow
        /// Rows of `statistics` that are whole.
        var finished = 0
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
            statistics = RowWindow(
                channels: coupling.statistics * coupling.half,
                capacity: min(step, frames) + 2 * coupling.reach + 1)
            statistics.reset(length: frames, padding: 0)
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
    func finish(_ input: RowWindow, to output: RowWindow, state: State) {
        let done = output.end..<state.finished
        guard !done.isEmpty else { return }
        output.append(done.count)
        output.set(to: input, rows: done)
        output.addColumns(
            of: state.statistics, from: 0, to: secondColumn, count: half, rows: done, factor: -1)
        if !isMeanOnly {
            output.divideByExp(of: state.statistics, from: half, to: secondColumn, count: half, rows: done)
        }
        input.discard(before: done.upperBound)
        state.statistics.discard(before: done.upperBound)
    }

    private func advance(
        _ layer: Layer, index: Int, isLast: Bool, state: State, form: ConvolutionForm, pool: WorkerPool
    ) {
        let input = state.inputs[index]
        let gate = state.gates[index]
        let activation = state.activations[index]
        let rows = gate.end..<layer.dilated.producible(from: input)
        guard !rows.isEmpty else { return }
        gate.append(rows.count)
        layer.dilated.apply(
            input, rows: rows, to: gate, extraBias: state.conditions[index], form: form, pool: pool)
        activation.append(rows.count)
        activation.setGate(of: gate, rows: rows, pool: pool)
        if let residual = layer.residual {
            let next = state.inputs[index + 1]
            next.append(rows.count)
            residual.apply(activation, rows: rows, to: next, residual: input, form: form, pool: pool)
        }
        // The first layer comes before the others to every row, and starts its sum.
        if index == 0 { state.statistics.append(rows.count) }
        for (i, skip) in layer.skips.enumerated() {
            skip.apply(
                activation, rows: rows, to: state.statistics, outputColumn: i * half,
                mode: index == 0 ? .set : .add, form: form, pool: pool)
        }
        if isLast { state.finished = rows.upperBound }
        gate.discard(before: rows.upperBound)
        activation.discard(before: rows.upperBound)
        input.discard(before: rows.upperBound - layer.dilated.padding)
    }
}

import Tensor

/// One stage of the decoder: a transposed convolution and the sum of its residual branches, layer by
/// layer: the oracle of `FusedStage`, and what runs the shapes that the kernel does not know.
///
/// The mean's factor is folded into the weights of what reads the sum.
struct UpsampleStage: Sendable {
    /// The leaky ReLU before the transposed convolution.
    let slope: Float
    let upsample: TransposedConvolution
    let branches: [ResidualBranch]

    /// What a stream carries from step to step.
    final class State {
        /// `[T, Cin]`: the activated input.
        let input: RowWindow
        /// `[T·S, Cout]`: the upsampled signal, raw and activated.
        let raw: RowWindow
        let activated: RowWindow
        let branches: [ResidualBranch.State]
        /// `[T·S, Cout]`: the sum of the branches.
        let sum: RowWindow

        init(_ stage: UpsampleStage, length: Int, step: Int) {
            let upsample = stage.upsample
            let outputLength = upsample.outputLength(length)
            let outputStep = step * upsample.stride
            input = RowWindow(
                channels: upsample.inputChannels, capacity: min(step, length) + 4 * upsample.padding + 1)
            input.reset(length: length, padding: upsample.padding)
            let reach = stage.branches.map(\.reach).max() ?? 0
            let padding = stage.branches.compactMap { $0.layers.first?.first.padding }.max() ?? 0
            func window(padding: Int, reach: Int) -> RowWindow {
                let window = RowWindow(
                    channels: upsample.outputChannels,
                    capacity: min(outputStep, outputLength) + 2 * reach + 2 * padding + upsample.kernel)
                window.reset(length: outputLength, padding: padding)
                return window
            }
            raw = window(padding: 0, reach: reach)
            activated = window(padding: padding, reach: reach)
            sum = window(padding: 0, reach: reach)
            branches = stage.branches.map { ResidualBranch.State($0, length: outputLength, step: outputStep) }
        }
    }

    /// Takes the stage as far as the rows of `signal` reach.
    ///
    /// - Parameters:
    ///   - signal: `[T, Cin]`, before the activation; rows that are used up are discarded.
    ///   - output: `[T·S, Cout]`; the rows that all branches have completed are appended.
    func advance(
        _ signal: RowWindow, to output: RowWindow, state: State, form: ConvolutionForm, pool: WorkerPool
    ) {
        let new = state.input.end..<signal.end
        state.input.append(new.count)
        state.input.setLeakyReLU(of: signal, slope: slope, rows: new, pool: pool)
        signal.discard(before: new.upperBound)
        let rows = upsample.apply(state.input, to: state.raw, pool: pool)
        if !rows.isEmpty {
            state.activated.append(rows.count)
            state.activated.setLeakyReLU(of: state.raw, slope: branches[0].slope, rows: rows, pool: pool)
            let nextBlock = (state.raw.end + upsample.cut) / upsample.stride
            state.input.discard(before: nextBlock - upsample.padding)
        }
        var rawNeeded = Int.max
        var activatedNeeded = Int.max
        var done = Int.max
        for (branch, branchState) in zip(branches, state.branches) {
            branch.advance(
                raw: state.raw, activated: state.activated, sum: state.sum, state: branchState, form: form,
                pool: pool)
            let needed = branch.needed(branchState)
            rawNeeded = min(rawNeeded, needed.raw)
            activatedNeeded = min(activatedNeeded, needed.activated)
            done = min(done, branchState.end)
        }
        state.raw.discard(before: rawNeeded)
        state.activated.discard(before: activatedNeeded)
        let finished = output.end..<max(done, output.end)
        output.append(finished.count)
        output.set(to: state.sum, rows: finished)
        state.sum.discard(before: finished.upperBound)
    }
}

extension ResidualBranch {
    /// Rows that the branch reads on either side of the row it writes.
    var reach: Int { layers.reduce(0) { $0 + $1.first.padding + ($1.second?.padding ?? 0) } }
}

import Tensor

/// One residual block of the decoder: a chain of dilated convolutions with a leaky ReLU before each
/// (Kong et al. 2020, "HiFi-GAN", section 2.3 and appendix A: resblock 1 and 2).
///
///     resblock 2:  x ← x + conv(lrelu(x))
///     resblock 1:  x ← x + conv₂(lrelu(conv₁(lrelu(x))))
struct ResidualBranch: Sendable {
    let layers: [Layer]
    let slope: Float

    struct Layer: Sendable {
        let first: Convolution
        /// nil in resblock 2.
        let second: Convolution?

        /// In the order in which they run.
        var convolutions: [Convolution] { [first] + [second].compactMap(\.self) }
    }

    /// What a stream carries from step to step, but for the first layer's input, which the branches
    /// of a stage share.
    final class State {
        /// `[T, C]` of each layer after the first: its input, raw and activated.
        let raw: [RowWindow]
        let activated: [RowWindow]
        /// `[T, C]`: between the two convolutions of resblock 1.
        let between: [RowWindow?]
        /// Rows of the branch that are done.
        var end = 0

        init(_ branch: ResidualBranch, length: Int, step: Int) {
            func window(_ channels: Int, padding: Int) -> RowWindow {
                let window = RowWindow(channels: channels, capacity: min(step, length) + 4 * padding + 1)
                window.reset(length: length, padding: padding)
                return window
            }
            let later = branch.layers.dropFirst()
            raw = later.map { layer in
                // The residual is read where the second convolution writes, behind both of them.
                window(layer.first.inputChannels, padding: layer.first.padding + (layer.second?.padding ?? 0))
            }
            activated = later.map { window($0.first.inputChannels, padding: $0.first.padding) }
            between = branch.layers.map { layer in
                layer.second.map { window($0.inputChannels, padding: $0.padding) }
            }
        }
    }

    /// Takes the branch as far as the rows of its input reach, and adds the rows done to `sum`.
    ///
    /// - Parameters:
    ///   - raw, activated: `[T, C]`, the stage's signal and its leaky ReLU.
    ///   - sum: `[T, C]`, the sum of the stage's branches; rows are appended where this branch is
    ///     the first to reach them.
    func advance(
        raw: RowWindow, activated: RowWindow, sum: RowWindow, state: State, form: ConvolutionForm,
        pool: WorkerPool
    ) {
        for (i, layer) in layers.enumerated() {
            let isLast = i == layers.count - 1
            let x = i == 0 ? raw : state.raw[i - 1]
            let a = i == 0 ? activated : state.activated[i - 1]
            let target = isLast ? sum : state.raw[i]
            let first = isLast ? state.end : target.end
            var source = a
            var last = layer.first
            if let second = layer.second, let h = state.between[i] {
                let rows = h.end..<layer.first.producible(from: a)
                h.append(rows.count)
                layer.first.apply(a, rows: rows, to: h, form: form, pool: pool)
                h.setLeakyReLU(of: h, slope: slope, rows: rows, pool: pool)
                if i > 0 { a.discard(before: h.end - layer.first.padding) }
                source = h
                last = second
            }
            let rows = first..<last.producible(from: source)
            guard !rows.isEmpty else { continue }
            if isLast {
                let fresh = max(sum.end, rows.lowerBound)..<max(sum.end, rows.upperBound)
                sum.append(fresh.count)
                sum.zero(rows: fresh)
                sum.add(x, rows: rows)
                state.end = rows.upperBound
            } else {
                target.append(rows.count)
                target.set(to: x, rows: rows)
            }
            last.apply(source, rows: rows, to: target, mode: .add, form: form, pool: pool)
            if !isLast {
                state.activated[i].append(rows.count)
                state.activated[i].setLeakyReLU(of: target, slope: slope, rows: rows, pool: pool)
            }
            if layer.second != nil { source.discard(before: rows.upperBound - last.padding) }
            if i > 0 {
                x.discard(before: rows.upperBound)
                if layer.second == nil { a.discard(before: rows.upperBound - last.padding) }
            }
        }
    }

    /// The first row of the stage's signal, and of its leaky ReLU, that the branch still reads.
    func needed(_ state: State) -> (raw: Int, activated: Int) {
        let layer = layers[0]
        let done = layers.count > 1 ? state.raw[0].end : state.end
        let read = state.between[0]?.end ?? done
        return (done, read - layer.first.padding)
    }
}

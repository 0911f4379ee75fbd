/// A transposed convolution over time, `[T, Cin]` to `[T', Cout]` with T' = (T−1)·S − 2·padding + K.
///
/// The taps are taken in groups of S: with G = ⌈K/S⌉ groups, the S output rows from τ·S − padding
/// on are Σ_g x[τ − g] · W_g, where W_g is `[Cin, S·Cout]`. So it is a G-tap convolution whose
/// output rows lie already in order.
package struct TransposedConvolution: Sendable {
    package let inputChannels: Int
    package let outputChannels: Int
    package let kernel: Int
    package let stride: Int
    /// Rows cut off at either end of the full result.
    package let cut: Int
    /// G.
    package let groups: Int
    let weights: PackedWeights
    /// `[Cout]`, or nil.
    let bias: AlignedBuffer?
    /// What the input is multiplied by, taken into the weights.
    let inputScale: Float
    /// `[S·Cout]`: the bias, S times.
    private let wideBias: AlignedBuffer

    /// Zero rows that the input needs on either side.
    package var padding: Int { groups - 1 }

    /// - Parameters:
    ///   - weight: `[Cin, Cout, K]`, as checkpoints store it.
    ///   - bias: `[Cout]`, or empty.
    package init(
        weight: any WeightSource, bias: [Float], inputChannels: Int, outputChannels: Int, kernel: Int,
        stride: Int, padding: Int, inputScale: Float = 1
    ) {
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        self.kernel = kernel
        self.stride = stride
        self.inputScale = inputScale
        cut = padding
        groups = (kernel + stride - 1) / stride
        weights = PackedWeights(weight)
        self.bias = bias.isEmpty ? nil : AlignedBuffer(bias)
        wideBias = AlignedBuffer(count: stride * outputChannels)
        if !bias.isEmpty {
            for r in 0..<stride {
                for o in 0..<outputChannels { wideBias.base[r * outputChannels + o] = bias[o] }
            }
        }
    }

    /// The weights as `[G, Cin, S·Cout]`.
    private func grouped() -> AlignedBuffer {
        weights.packed(.plain) { source in
            precondition(source.count == inputChannels * outputChannels * kernel)
            let columns = stride * outputChannels
            let target = AlignedBuffer(count: groups * inputChannels * columns)
            for i in 0..<inputChannels {
                for o in 0..<outputChannels {
                    for k in 0..<kernel {
                        let (g, r) = k.quotientAndRemainder(dividingBy: stride)
                        target.base[(g * inputChannels + i) * columns + r * outputChannels + o] =
                            source[(i * outputChannels + o) * kernel + k] * inputScale
                    }
                }
            }
            return target
        }
    }

    /// T' for an input of `length` rows.
    package func outputLength(_ length: Int) -> Int {
        length == 0 ? 0 : max(0, (length - 1) * stride - 2 * cut + kernel)
    }

    /// Output rows that are final once `input` holds what it holds.
    package func producible(from input: RowWindow) -> Int {
        max(0, min(outputLength(input.length), input.readable * stride - cut))
    }

    /// Appends to `output` all rows that have become final, and returns them.
    ///
    /// Works in blocks of S rows; `output` takes them with the rows before 0 and after T' left out.
    package func apply(_ input: RowWindow, to output: RowWindow, pool: WorkerPool) -> Range<Int> {
        let first = output.end
        let rows = first..<producible(from: input)
        guard !rows.isEmpty else { return first..<first }
        precondition(input.channels == inputChannels && output.channels == outputChannels)
        output.append(rows.count)
        // Whole blocks τ; those that stick out of `rows` go through a spare block.
        let blocks = (first + cut) / stride..<(rows.upperBound + cut + stride - 1) / stride
        let columns = stride * outputChannels
        let inner =
            blocks.lowerBound * stride - cut >= first
            ? blocks.lowerBound : blocks.lowerBound + 1
        let outer =
            blocks.upperBound * stride - cut <= rows.upperBound
            ? blocks.upperBound : blocks.upperBound - 1
        if inner < outer {
            let grid = TileGrid(rows: outer - inner, columns: columns)
            // SAFETY: the tasks write disjoint tiles of `output` and only read `input`.
            let target = output.pointer(at: inner * stride - cut)
            pool.run(grid.count) { index in
                let tile = grid[index]
                multiply(
                    input, block: inner + tile.row, blocks: tile.rows, column: tile.column,
                    columns: tile.columns, to: target + tile.row * columns + tile.column)
            }
        }
        for block in blocks where block < inner || block >= outer {
            let spare = AlignedBuffer(count: columns)
            multiply(input, block: block, blocks: 1, column: 0, columns: columns, to: spare.base)
            let from = max(rows.lowerBound, block * stride - cut)
            let to = min(rows.upperBound, (block + 1) * stride - cut)
            guard from < to else { continue }
            output.pointer(at: from).update(
                from: spare.base + (from - (block * stride - cut)) * outputChannels,
                count: (to - from) * outputChannels)
        }
        return rows
    }

    private func multiply(
        _ input: RowWindow, block: Int, blocks: Int, column: Int, columns: Int,
        to target: UnsafeMutablePointer<Float>
    ) {
        let width = stride * outputChannels
        let weight = grouped()
        fillRows(
            target, stride: width, rows: blocks, columns: columns, with: UnsafePointer(wideBias.base + column)
        )
        for g in 0..<groups {
            Blas.multiplyAdd(
                input.pointer(at: block - g), stride: inputChannels,
                by: weight.base + g * inputChannels * width + column, stride: width,
                to: target, stride: width, rows: blocks, inner: inputChannels, columns: columns)
        }
    }
}

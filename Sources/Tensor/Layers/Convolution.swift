import COpenBLAS

/// A stride-1 convolution over time, `[T, Cin]` to `[T, Cout]`, with zero padding that keeps the length.
///
/// The plain form, over OpenBLAS: K products of row-shifted views, accumulated in place, where a
/// dilation is only a row offset. It is the oracle of the fast kernels.
///
///     y[t] = bias + Σ_k x[t − padding + k·dilation] · W_k
package struct Convolution: Sendable {
    package let inputChannels: Int
    package let outputChannels: Int
    package let kernel: Int
    package let dilation: Int
    /// Zero rows that the input needs on either side.
    package let padding: Int
    /// `[K, Cin, Cout]`.
    private let weight: AlignedBuffer
    /// `[Cout]`, or nil.
    private let bias: AlignedBuffer?

    /// - Parameters:
    ///   - weight: `[Cout, Cin, K]`, as checkpoints store it.
    ///   - bias: `[Cout]`, or empty.
    ///   - padding: zero rows on either side; by default those that keep the length.
    package init(
        weight: [Float], bias: [Float], inputChannels: Int, outputChannels: Int, kernel: Int,
        dilation: Int = 1, padding: Int? = nil
    ) {
        precondition(weight.count == outputChannels * inputChannels * kernel)
        precondition(bias.isEmpty || bias.count == outputChannels)
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        self.kernel = kernel
        self.dilation = dilation
        self.padding = padding ?? (kernel - 1) * dilation / 2
        self.weight = AlignedBuffer(count: weight.count)
        transposeToTapMajor(
            weight, outputs: outputChannels, inputs: inputChannels, kernel: kernel, into: self.weight)
        self.bias = bias.isEmpty ? nil : AlignedBuffer(bias)
    }

    /// Whether the result replaces the output rows or is added to them.
    package enum Mode { case set, add }

    /// Rows of output that can be made from what `input` holds.
    package func producible(from input: RowWindow) -> Int {
        max(0, min(input.length, input.readable - ((kernel - 1) * dilation - padding)))
    }

    /// Writes the output rows `rows`, which `output` already holds.
    ///
    /// - Parameters:
    ///   - input: holds rows − padding ..< rows + (K−1)·dilation − padding.
    ///   - inputColumn: the first of the Cin columns of `input` that are read.
    ///   - extraBias: `[Cout]` added to every row, such as a speaker's; or nil.
    package func apply(
        _ input: RowWindow, inputColumn: Int = 0, rows: Range<Int>, to output: RowWindow,
        mode: Mode = .set, extraBias: AlignedBuffer? = nil, pool: WorkerPool
    ) {
        guard !rows.isEmpty else { return }
        precondition(inputColumn + inputChannels <= input.channels && outputChannels == output.channels)
        precondition(rows.lowerBound - padding >= input.start
            && rows.upperBound - 1 - padding + (kernel - 1) * dilation < input.readable)
        if outputChannels == 1 && dilation == 1 && inputChannels == input.channels {
            applyToOneChannel(input, rows: rows, to: output, mode: mode)
            return
        }
        Blas.prepare()
        // SAFETY: the tasks of the grid write disjoint tiles of `output` and only read `input`.
        let source = input.pointer(at: rows.lowerBound - padding) + inputColumn
        let target = output.pointer(at: rows.lowerBound)
        let sourceStride = input.channels
        let columns = outputChannels
        let grid = TileGrid(rows: rows.count, columns: columns)
        pool.run(grid.count) { index in
            let tile = grid[index]
            let corner = target + tile.row * columns + tile.column
            fillRows(
                corner, stride: columns, rows: tile.rows, columns: tile.columns,
                with: bias.map { UnsafePointer($0.base + tile.column) },
                and: extraBias.map { UnsafePointer($0.base + tile.column) }, adding: mode == .add)
            for k in 0..<kernel {
                Blas.multiplyAdd(
                    source + (tile.row + k * dilation) * sourceStride, stride: sourceStride,
                    by: weight.base + k * inputChannels * columns + tile.column, stride: columns,
                    to: corner, stride: columns,
                    rows: tile.rows, inner: inputChannels, columns: tile.columns)
            }
        }
    }

    /// The result for a single row `[Cin]` with kernel 1, such as a speaker's embedding: `[Cout]`.
    package func vector(_ x: [Float]) -> AlignedBuffer {
        precondition(kernel == 1 && x.count == inputChannels)
        let y = bias.map { AlignedBuffer($0.array) } ?? AlignedBuffer(count: outputChannels)
        for i in 0..<inputChannels {
            let row = weight.base + i * outputChannels
            for o in 0..<outputChannels { y.base[o] += x[i] * row[o] }
        }
        return y
    }

    /// One output channel: a dot product a row over K·Cin contiguous numbers, as a matrix product
    /// of one column runs far below the machine.
    private func applyToOneChannel(_ input: RowWindow, rows: Range<Int>, to output: RowWindow, mode: Mode) {
        let source = input.pointer(at: rows.lowerBound - padding)
        let target = output.pointer(at: rows.lowerBound)
        let offset = bias?.base[0] ?? 0
        let count = kernel * inputChannels
        for i in 0..<rows.count {
            let sum = cblas_sdot(numericCast(count), source + i * inputChannels, 1, weight.base, 1) + offset
            target[i] = mode == .add ? target[i] + sum : sum
        }
    }
}

/// `[Cout, Cin, K]` to `[K, Cin, Cout]`.
private func transposeToTapMajor(
    _ source: [Float], outputs: Int, inputs: Int, kernel: Int, into target: AlignedBuffer
) {
    let base = target.base
    source.withUnsafeBufferPointer { source in
        // Output columns in blocks, so that the strided reads of a block stay in cache.
        for block in stride(from: 0, to: outputs, by: 16) {
            let end = min(block + 16, outputs)
            for i in 0..<inputs {
                for k in 0..<kernel {
                    let row = base + (k * inputs + i) * outputs
                    for o in block..<end { row[o] = source[(o * inputs + i) * kernel + k] }
                }
            }
        }
    }
}

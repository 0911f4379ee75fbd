import CKernels

/// The plain form, over OpenBLAS: K products of row-shifted views, accumulated in place, where a
/// dilation is only a row offset.
extension Convolution {
    func applyPlain(
        _ input: RowWindow, inputColumn: Int, rows: Range<Int>, to output: RowWindow, outputColumn: Int,
        mode: Mode, extraBias: AlignedBuffer?, pool: WorkerPool
    ) {
        // SAFETY: the tasks of the grid write disjoint tiles of `output` and only read `input`.
        let source = input.pointer(at: rows.lowerBound - padding) + inputColumn
        let target = output.pointer(at: rows.lowerBound) + outputColumn
        let targetStride = output.channels
        let sourceStride = input.channels
        let columns = outputChannels
        let weight = tapMajor()
        let grid = TileGrid(rows: rows.count, columns: columns)
        pool.run(grid.count) { index in
            let tile = grid[index]
            let corner = target + tile.row * targetStride + tile.column
            fillRows(
                corner, stride: targetStride, rows: tile.rows, columns: tile.columns,
                with: bias.map { UnsafePointer($0.base + tile.column) },
                and: extraBias.map { UnsafePointer($0.base + tile.column) }, adding: mode == .add)
            for k in 0..<kernel {
                Blas.multiplyAdd(
                    source + (tile.row + k * dilation) * sourceStride, stride: sourceStride,
                    by: weight.base + k * inputChannels * columns + tile.column, stride: columns,
                    to: corner, stride: targetStride,
                    rows: tile.rows, inner: inputChannels, columns: tile.columns)
            }
        }
    }

    /// One output channel: a dot product a row over K·Cin contiguous numbers, as a matrix product
    /// of one column runs far below the machine.
    func applyToOneChannel(_ input: RowWindow, rows: Range<Int>, to output: RowWindow, mode: Mode) {
        let source = input.pointer(at: rows.lowerBound - padding)
        let target = output.pointer(at: rows.lowerBound)
        let offset = bias?.base[0] ?? 0
        let weight = tapMajor()
        let count = kernel * inputChannels
        for i in 0..<rows.count {
            let x = source + i * inputChannels
            var sum: Double = 0
            for j in 0..<count { sum += Double(x[j]) * Double(weight.base[j]) }
            let value = Float(sum) + offset
            target[i] = mode == .add ? target[i] + value : value
        }
    }

    /// The weights as `[K, Cin, Cout]`.
    func tapMajor() -> AlignedBuffer {
        weights.packed(.plain) { source in
            precondition(source.count == outputChannels * inputChannels * kernel)
            let target = AlignedBuffer(count: source.count, isZeroed: false)
            // Output columns in blocks, so that the strided reads of a block stay in cache.
            for block in stride(from: 0, to: outputChannels, by: 16) {
                let columns = block..<min(block + 16, outputChannels)
                let sources = columns.map { layout.sourceOutput($0, of: outputChannels) * inputChannels }
                for i in 0..<inputChannels {
                    let input = layout.reversesInputs ? inputChannels - 1 - i : i
                    for k in 0..<kernel {
                        let row = target.base + (k * inputChannels + i) * outputChannels
                        for (o, first) in zip(columns, sources) {
                            row[o] = source[(first + input) * kernel + k] * layout.weightScale
                        }
                    }
                }
            }
            return target
        }
    }
}

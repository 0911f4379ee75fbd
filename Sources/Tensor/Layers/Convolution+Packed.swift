import CKernels

/// The forms that CKernels computes.
extension Convolution {
    func applyPacked(
        _ input: RowWindow, inputColumn: Int, rows: Range<Int>, to output: RowWindow, outputColumn: Int,
        mode: Mode, extraBias: AlignedBuffer?, form: ConvolutionForm, pool: WorkerPool
    ) {
        // SAFETY: the tasks write disjoint tiles of `output`, and only read `input` and the weights.
        let target = output.pointer(at: rows.lowerBound) + outputColumn
        var accumulates = mode == .add
        if let extraBias {
            fillRows(
                target, stride: output.channels, rows: rows.count, columns: outputChannels,
                with: UnsafePointer(extraBias.base), adding: accumulates)
            accumulates = true
        }
        let source = syrinx_view(
            rows: input.pointer(at: input.start) + inputColumn, stride: input.channels,
            begin: input.start, end: input.readable)
        let written = syrinx_view(
            rows: target, stride: output.channels, begin: rows.lowerBound, end: rows.upperBound)
        if form == .direct, usesUnpackedWeights(rows: rows.count) {
            applyUnpacked(
                input: source, output: written, accumulates: accumulates, pool: pool)
            return
        }
        if form == .direct {
            // By panels alone: each is packed once, by the thread that uses it.
            let panels = (outputChannels + Self.panelColumns - 1) / Self.panelColumns
            pool.run(panels) { panel in
                runUnkept(
                    panel: panel, input: source, output: written,
                    accumulates: accumulates)
            }
            return
        }
        let (shape, kept) = packedForm(form)
        let grid = PanelGrid(
            rows: rows.count, columns: outputChannels, tileRows: max(1, Int(shape.tile)) * dilation,
            threads: pool.threads)
        var shares = PackedShares(
            shape: shape, packed: UnsafePointer(kept.base), grid: grid, input: source,
            output: written, accumulates: accumulates)
        withExtendedLifetime(kept) {
            pool.run(grid.count, &shares) { shares, index in
                shares?.assumingMemoryBound(to: PackedShares.self).pointee.run(Int(index))
            }
        }
    }

    /// Columns of the kernels' panels.
    private static let panelColumns = 64

    /// tanh of the result for leakyReLU(`input`) where there is one output channel: a decoder's end.
    package func applyToOneChannel(
        leakyReLUOf input: RowWindow, slope: Float, rows: Range<Int>, tanhTo output: RowWindow, pool: WorkerPool
    ) {
        guard !rows.isEmpty else { return }
        precondition(isDotProduct && inputChannels == input.channels && output.channels == 1)
        precondition(slope >= 0 && slope <= 1, "the kernel takes the larger of x and slope·x")
        var mono = syrinx_mono()
        mono.taps = numericCast(kernel)
        mono.left = numericCast(padding)
        mono.inputs = numericCast(inputChannels)
        mono.slope = slope
        let weight = tapMajor()
        mono.weights = UnsafePointer(weight.base)
        mono.bias = bias?.base[0] ?? 0
        mono.tanh = true
        // SAFETY: the view covers the window's rows, the output's rows are there; each is written by one thread.
        let view = syrinx_view(
            rows: input.pointer(at: input.start), stride: input.channels, begin: input.start,
            end: input.readable)
        var shares = MonoShares(
            mono: mono, input: view, output: output.pointer(at: rows.lowerBound),
            cut: RowCut(rows, pieces: min(pool.threads, rows.count / 256)))
        withExtendedLifetime(weight) {
            pool.run(shares.cut.pieces, &shares) { shares, index in
                shares?.assumingMemoryBound(to: MonoShares.self).pointee.run(Int(index))
            }
        }
    }

    /// Packs one panel into the thread's scratch and uses it at once.
    private func runUnkept(panel: Int, input: syrinx_view, output: syrinx_view, accumulates: Bool) {
        let first = panel * Self.panelColumns
        var shape = shape(points: 0)
        shape.columns = numericCast(min(Self.panelColumns, outputChannels - first))
        let size = (syrinx_conv_weights_size(&shape) + 15) / 16 * 16
        let scratch = ThreadScratch.floats(size + syrinx_conv_scratch_size(&shape))
        var strides = strides
        strides.offset += first * strides.column
        weights.source.withValues { values in
            syrinx_conv_pack(
                &shape, values.pointer, strides, Double(layout.weightScale),
                bias.map { UnsafePointer($0.base + first) }, scratch)
        }
        var output = output
        output.rows += first
        shape.run(
            packed: scratch, input: input, output: output, columns: 0..<Int(shape.columns),
            accumulates: accumulates, scratch: scratch + size)
    }

    /// The shape as the kernels describe it, with the largest tile of at most `points` products.
    func shape(points: Int) -> syrinx_conv {
        syrinx_conv(
            taps: numericCast(kernel), dilation: numericCast(dilation), left: numericCast(padding / dilation),
            inputs: numericCast(inputChannels), columns: numericCast(outputChannels),
            tile: points == 0
                ? 0
                : syrinx_conv_tile(
                    numericCast(kernel), numericCast(inputChannels), numericCast(outputChannels),
                    numericCast(points)))
    }

    /// Output rows of the tiles that `form` takes, which lie at multiples of it; 1 where there are none.
    package func tileRows(_ form: ConvolutionForm) -> Int {
        let tile = isPackable ? Int(shape(points: form.points).tile) : 0
        return tile > 0 ? tile * dilation : 1
    }

    /// Makes the weights of `form` now, rather than when they are first used.
    package func prepare(_ form: ConvolutionForm) {
        guard form != .plain, isPackable else { return }
        if form == .direct { weights.source.prepare() } else { _ = packedForm(form) }
    }

    /// The weights as `form` reads them, made the first time.
    func packedForm(_ form: ConvolutionForm) -> (shape: syrinx_conv, weights: AlignedBuffer) {
        var shape = shape(points: form.points)
        return (shape, weights.packed(shape.tile > 0 ? form : .directKept) { pack(&shape, $0) })
    }

    private func pack(_ shape: inout syrinx_conv, _ source: WeightValues) -> AlignedBuffer {
        precondition(source.count == outputChannels * inputChannels * kernel)
        let buffer = AlignedBuffer(weights: syrinx_conv_weights_size(&shape))
        syrinx_conv_pack(
            &shape, source.pointer, strides, Double(layout.weightScale), bias.map { UnsafePointer($0.base) },
            buffer.base)
        return buffer
    }

    /// Where the kernels find weight (k, i, o) in `[Cout, Cin, K]`.
    var strides: syrinx_weight_strides {
        let row = inputChannels * kernel
        var strides = syrinx_weight_strides(
            offset: 0, tap: 1, input: kernel, column: row, phase: 0, period: numericCast(outputChannels))
        if layout.reversesInputs {
            strides.offset += (inputChannels - 1) * kernel
            strides.input = -kernel
        }
        if layout.reversesOutputs {
            strides.offset += (outputChannels - 1) * row
            strides.column = -row
        }
        return strides
    }
}

/// A layer's tiles, as the threads take them.
// SAFETY: tiles are disjoint; input and weights are only read.
private struct PackedShares {
    let shape: syrinx_conv
    let packed: UnsafePointer<Float>
    let grid: PanelGrid
    let input: syrinx_view
    let output: syrinx_view
    let accumulates: Bool

    func run(_ index: Int) {
        let tile = grid[index]
        var output = output
        output.rows += tile.row * output.stride
        output.begin += tile.row
        output.end = output.begin + tile.rows
        shape.run(
            packed: packed, input: input, output: output, columns: tile.columns, accumulates: accumulates,
            scratch: ThreadScratch.floats(withUnsafePointer(to: shape) { syrinx_conv_scratch_size($0) }))
    }
}

/// The rows of a result of one channel, as the threads take them.
// SAFETY: each row is written by one thread.
private struct MonoShares {
    let mono: syrinx_mono
    let input: syrinx_view
    let output: UnsafeMutablePointer<Float>
    let cut: RowCut

    func run(_ index: Int) {
        let rows = cut[index]
        withUnsafePointer(to: mono) { mono in
            syrinx_mono_run(
                mono, input, rows.lowerBound, rows.upperBound, output + (rows.lowerBound - cut.rows.lowerBound),
                ThreadScratch.floats(syrinx_mono_scratch_size(mono)))
        }
    }
}

extension syrinx_conv {
    fileprivate func run(
        packed: UnsafePointer<Float>, input: syrinx_view, output: syrinx_view, columns: Range<Int>,
        accumulates: Bool, scratch: UnsafeMutablePointer<Float>
    ) {
        withUnsafePointer(to: self) { shape in
            var call = syrinx_conv_call()
            call.conv = shape
            call.packed = packed
            call.slope = 1
            call.input = input
            call.output = output
            call.accumulate = accumulates
            call.first_column = numericCast(columns.lowerBound)
            call.end_column = numericCast(columns.upperBound)
            call.scratch = scratch
            syrinx_conv_run(&call)
        }
    }
}

extension ConvolutionForm {
    /// Products a tile at most; 0 where there are no tiles.
    var points: Int { if case .fast(let points) = self { points } else { 0 } }
}

/// How a `[rows, columns]` result is cut for the threads.
///
/// Wide layers are cut by columns, at the borders of the kernels' panels, so that each thread reads
/// only its share of the weights; the others by rows. An element's bits depend on its own row and
/// column alone, so the cut may follow the number of threads.
struct PanelGrid {
    private let rows: Int
    private let columns: Int
    private let rowStep: Int
    private let columnStep: Int
    private let columnTiles: Int

    init(rows: Int, columns: Int, tileRows: Int, threads: Int) {
        self.rows = rows
        self.columns = columns
        let byColumns = threads > 1 && columns % (64 * threads) == 0
        columnStep = byColumns ? columns / threads : columns
        // Short pieces are not worth another thread.
        let quantum = tileRows * ((15 + tileRows) / tileRows)
        let pieces = byColumns ? 1 : threads
        rowStep = max(1, (rows + pieces * quantum - 1) / (pieces * quantum)) * quantum
        columnTiles = (columns + columnStep - 1) / columnStep
    }

    var count: Int { (rows + rowStep - 1) / rowStep * columnTiles }

    subscript(index: Int) -> (row: Int, rows: Int, columns: Range<Int>) {
        let row = index / columnTiles * rowStep
        let column = index % columnTiles * columnStep
        return (row, min(rowStep, rows - row), column..<min(column + columnStep, columns))
    }
}

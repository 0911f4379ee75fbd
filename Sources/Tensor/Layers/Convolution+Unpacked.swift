import CKernels

/// The direct form of a few rows: weights in the order of the file, each read once, and nothing packed.
extension Convolution {
    /// Whether weights as they are stored beat packed ones. The bits are the same.
    ///
    /// With few rows a weight is used so seldom that packing it costs more than what vectors over time lose: the
    /// input transposed, and vectors that are not full.
    func usesUnpackedWeights(rows: Int) -> Bool {
        rows <= Int(syrinx_unpacked_rows) && layout.weightScale == 1
    }

    // SAFETY: the tasks write disjoint columns of `output` and only read the transposed input.
    func applyUnpacked(input: syrinx_view, output: syrinx_view, accumulates: Bool, pool: WorkerPool) {
        var shape = shape(points: 0)
        let inputs = AlignedBuffer(
            count: syrinx_unpacked_inputs_size(&shape, output.end - output.begin), isZeroed: false)
        syrinx_unpacked_inputs(&shape, input, output.begin, output.end, 0, shape.inputs, inputs.base)
        let tasks = (outputChannels + Self.taskColumns - 1) / Self.taskColumns
        pool.run(tasks) { task in
            let first = task * Self.taskColumns
            run(
                shape, columns: first..<min(first + Self.taskColumns, outputChannels), inputs: inputs,
                output: output,
                accumulates: accumulates)
        }
    }

    /// Columns that a thread takes at a time: few, so that the threads end together.
    private static let taskColumns = 16

    private func run(
        _ shape: syrinx_conv, columns: Range<Int>, inputs: AlignedBuffer, output: syrinx_view,
        accumulates: Bool
    ) {
        // The columns' weights lie in one piece of the source.
        let row = inputChannels * kernel
        let first = layout.reversesOutputs ? outputChannels - columns.upperBound : columns.lowerBound
        let values = first * row..<(first + columns.count) * row
        let size = (values.count + 15) / 16 * 16
        let scratch = ThreadScratch.floats(size + syrinx_unpacked_scratch_size())
        weights.source.copy(values, to: scratch)
        withUnsafePointer(to: shape) { shape in
            var call = syrinx_unpacked_call()
            call.conv = shape
            call.inputs = UnsafePointer(inputs.base)
            call.weights = UnsafePointer(scratch)
            call.strides = strides
            call.strides.offset -= values.lowerBound
            call.bias = bias.map { UnsafePointer($0.base) }
            call.output = output
            call.accumulate = accumulates
            call.first_column = numericCast(columns.lowerBound)
            call.end_column = numericCast(columns.upperBound)
            call.scratch = scratch + size
            syrinx_unpacked_run(&call)
        }
    }
}

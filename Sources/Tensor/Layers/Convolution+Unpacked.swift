import CKernels

/// The direct form of a few rows: weights are read where they lie, and nothing is packed.
extension Convolution {
    /// Whether reading the weights in place beats packing them. The bits are the same.
    ///
    /// Up to some 150 rows a weight is used so few times that packing it costs more than what vectors over
    /// time lose: the input transposed, and vectors that are not full.
    func readsWeightsInPlace(rows: Int) -> Bool {
        rows <= Int(syrinx_unpacked_rows) && layout.weightScale == 1 && layout.reversedOutputGroups <= 1
    }

    func applyUnpacked(input: syrinx_view, output: syrinx_view, accumulates: Bool, pool: WorkerPool) {
        var shape = shape(points: 0)
        let inputs = ThreadScratch.floats(
            syrinx_unpacked_inputs_size(&shape, output.end - output.begin))
        syrinx_unpacked_inputs(&shape, input, output.begin, output.end, 0, shape.inputs, inputs)
        let tasks = (outputChannels + Self.taskColumns - 1) / Self.taskColumns
        weights.source.withValues { values in
            pool.run(tasks) { task in
                let first = task * Self.taskColumns
                withUnsafePointer(to: shape) { shape in
                    var call = syrinx_unpacked_call()
                    call.conv = shape
                    call.inputs = UnsafePointer(inputs)
                    call.weights = values.pointer
                    call.strides = strides
                    call.bias = bias.map { UnsafePointer($0.base) }
                    call.output = output
                    call.accumulate = accumulates
                    call.first_column = numericCast(first)
                    call.end_column = numericCast(min(first + Self.taskColumns, outputChannels))
                    withUnsafeTemporaryAllocation(of: Float.self, capacity: Self.scratchFloats) { scratch in
                        call.scratch = scratch.baseAddress
                        syrinx_unpacked_run(&call)
                    }
                }
            }
        }
    }

    /// Columns that a thread takes at a time: few, so that the threads end together.
    private static let taskColumns = 16
    private static let scratchFloats = syrinx_unpacked_scratch_size()
}

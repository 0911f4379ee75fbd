import CKernels

/// A stage of a HiFi-GAN decoder as one streaming kernel: upsampling and the sum of the residual
/// branches, run in blocks of time whose intermediate rows stay in cache.
///
/// The fast form of what `TransposedConvolution` and the branches' `Convolution`s compute one by
/// one, for the shapes that the kernel knows.
package final class FusedStage: Sendable {
    package let inputChannels: Int
    package let channels: Int
    package let stride: Int
    /// Output rows held back until later input or the end, at most.
    package let lookahead: Int
    // SAFETY: filled here and only read after that; the buffers that it points into live as long
    // as this object.
    private nonisolated(unsafe) let stage: UnsafeMutablePointer<syrinx_stage>
    private let buffers: [AlignedBuffer]

    /// - Parameters:
    ///   - branches: the convolutions of each branch in order; with `isPaired` they come in pairs
    ///     inside one residual (resblock 1).
    ///   - points: products a tile at most.
    /// - Returns: nil where the kernel does not know the shape.
    package init?(
        upsample: TransposedConvolution, branches: [[Convolution]], isPaired: Bool, slope: Float, points: Int
    ) {
        let layers = branches.first?.count ?? 0
        let channels = upsample.outputChannels
        guard upsample.kernel % upsample.stride == 0, 2 * upsample.cut == upsample.kernel - upsample.stride,
            slope >= 0, slope <= 1, layers > 0, layers <= Int(syrinx_stage_max_layers),
            branches.count <= Int(syrinx_stage_max_blocks), branches.allSatisfy({ $0.count == layers }),
            branches.joined().allSatisfy({
                $0.kernel % 2 == 1 && 2 * $0.padding == ($0.kernel - 1) * $0.dilation
                    && $0.inputChannels == channels && $0.outputChannels == channels && $0.layout.isPlain
            })
        else { return nil }
        self.channels = channels
        inputChannels = upsample.inputChannels
        stride = upsample.stride
        stage = .allocate(capacity: 1)
        var stage = syrinx_stage()
        var buffers: [AlignedBuffer] = []
        stage.upsampler = upsample.packedLayer(points: points, keeping: &buffers)
        stage.stride = numericCast(upsample.stride)
        stage.padding = numericCast(upsample.cut)
        stage.channels = numericCast(channels)
        stage.slope = slope
        stage.blocks = numericCast(branches.count)
        stage.layers = numericCast(layers)
        stage.type = isPaired ? 1 : 2
        let made = branches.map { $0.map { $0.packedLayer(points: points, keeping: &buffers) } }
        // C's layer[blocks][layers] is a tuple of tuples here: its memory is filled instead.
        withUnsafeMutableBytes(of: &stage.layer) { raw in
            let all = raw.bindMemory(to: syrinx_layer.self)
            for (r, branch) in made.enumerated() {
                for (l, layer) in branch.enumerated() { all[r * Int(syrinx_stage_max_layers) + l] = layer }
            }
        }
        self.stage.initialize(to: stage)
        self.buffers = buffers
        lookahead = Int(syrinx_stage_lookahead(self.stage))
    }

    deinit { stage.deallocate() }

    /// What a stream carries from step to step. One thread at a time.
    package final class State {
        fileprivate var state = syrinx_stage_state()
        fileprivate let memory: AlignedBuffer

        package init(_ stage: FusedStage) {
            memory = AlignedBuffer(count: syrinx_stage_memory_size(stage.stage), isZeroed: false)
            syrinx_stage_start(stage.stage, &state, 0, memory.base)
        }
    }

    /// Takes in the rows of `input` that are new, and appends to `output` those that they settle.
    ///
    /// - Parameters:
    ///   - input: `[T, Cin]`, before the activation; rows that were taken in are discarded.
    ///   - isEager: gives all that the input allows, at the price of partial tiles.
    package func step(_ input: RowWindow, to output: RowWindow, state: State, isEager: Bool) {
        let rows = Int(state.state.received)..<input.end
        let isLast = input.end == input.length
        guard !rows.isEmpty else { return }
        precondition(input.channels == inputChannels && output.channels == channels)
        // The kernel says afterwards how many rows it settled: they are made readable then.
        let bound = Int(syrinx_stage_output_bound(stage, rows.count))
        let target = output.reserve(min(bound, output.length - output.end))
        let scratch = ThreadScratch.floats(syrinx_stage_scratch_size(stage))
        let made = syrinx_stage_step(
            stage, &state.state, input.pointer(at: rows.lowerBound), inputChannels, rows.count, isEager, isLast,
            target, scratch)
        output.append(Int(made))
        input.discard(before: rows.upperBound)
    }
}

extension Convolution {
    fileprivate func packedLayer(points: Int, keeping buffers: inout [AlignedBuffer]) -> syrinx_layer {
        let (shape, packed) = packedForm(.fast(points: points))
        buffers.append(packed)
        return syrinx_layer(conv: shape, packed: packed.base)
    }
}

extension TransposedConvolution {
    fileprivate func packedLayer(points: Int, keeping buffers: inout [AlignedBuffer]) -> syrinx_layer {
        var shape = syrinx_transposed_conv(
            numericCast(kernel), numericCast(stride), numericCast(inputChannels), numericCast(outputChannels),
            numericCast(points))
        let buffer = AlignedBuffer(count: syrinx_conv_weights_size(&shape), isZeroed: false)
        let strides = syrinx_transposed_conv_strides(
            numericCast(kernel), numericCast(stride), numericCast(inputChannels), numericCast(outputChannels))
        weights.source.withValues { values in
            syrinx_conv_pack(
                &shape, values.pointer, strides, Double(inputScale), bias.map { UnsafePointer($0.base) }, buffer.base)
        }
        weights.source.release()
        buffers.append(buffer)
        return syrinx_layer(conv: shape, packed: buffer.base)
    }
}

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
        guard Self.knows(upsample: upsample, branches: branches, slope: slope) else { return nil }
        let layers = branches[0].count
        let channels = upsample.outputChannels
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

    /// Whether the kernel can run a stage of this shape.
    package static func knows(upsample: TransposedConvolution, branches: [[Convolution]], slope: Float) -> Bool {
        let layers = branches.first?.count ?? 0
        let channels = upsample.outputChannels
        return upsample.kernel % upsample.stride == 0 && 2 * upsample.cut == upsample.kernel - upsample.stride
            && slope >= 0 && slope <= 1 && layers > 0 && layers <= Int(syrinx_stage_max_layers)
            && branches.count <= Int(syrinx_stage_max_blocks) && branches.allSatisfy { $0.count == layers }
            && branches.joined().allSatisfy {
                $0.kernel % 2 == 1 && 2 * $0.padding == ($0.kernel - 1) * $0.dilation
                    && $0.inputChannels == channels && $0.outputChannels == channels && $0.layout.isPlain
            }
    }

    /// What a stream carries from step to step. One thread at a time.
    package final class State {
        fileprivate var state = syrinx_stage_state()
        fileprivate let memory: AlignedBuffer

        package init(_ stage: FusedStage) {
            memory = AlignedBuffer(count: syrinx_stage_memory_size(stage.stage), isZeroed: false)
            syrinx_stage_start(stage.stage, &state, 0, memory.base)
        }
    }

    /// Takes in some rows and gives those that they settle.
    ///
    /// - Parameters:
    ///   - input: `[T, Cin]`, before the activation.
    ///   - rows: those that follow the ones taken in before.
    ///   - isLast: nothing follows; all that is left comes out.
    ///   - isEager: gives all that the input allows, at the price of partial tiles.
    package func step(
        _ input: RowWindow, rows: Range<Int>, isLast: Bool, isEager: Bool, state: State, to output: RowChunk
    ) {
        precondition(input.channels == inputChannels && rows.lowerBound == Int(state.state.received))
        let base = rows.isEmpty ? nil : UnsafePointer(input.pointer(at: rows.lowerBound))
        step(base, count: rows.count, isLast: isLast, isEager: isEager, state: state, to: output)
    }

    /// The same, with the rows that another stage gave.
    package func step(_ input: RowChunk, isLast: Bool, isEager: Bool, state: State, to output: RowChunk) {
        precondition(input.channels == inputChannels)
        step(UnsafePointer(input.base), count: input.rows, isLast: isLast, isEager: isEager, state: state, to: output)
    }

    private func step(
        _ base: UnsafePointer<Float>?, count: Int, isLast: Bool, isEager: Bool, state: State, to output: RowChunk
    ) {
        precondition(output.channels == channels)
        guard count > 0 || isLast, let base else {
            output.fill(limit: 0) { _ in 0 }
            return
        }
        let scratch = ThreadScratch.floats(syrinx_stage_scratch_size(stage))
        output.fill(limit: Int(syrinx_stage_output_bound(stage, count))) { target in
            Int(syrinx_stage_step(
                stage, &state.state, base, inputChannels, count, isEager, isLast, target, scratch))
        }
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
    /// Makes the weights of the fused stage now.
    package func prepare(points: Int) { _ = packedForm(points: points) }

    fileprivate func packedLayer(points: Int, keeping buffers: inout [AlignedBuffer]) -> syrinx_layer {
        let (shape, packed) = packedForm(points: points)
        buffers.append(packed)
        return syrinx_layer(conv: shape, packed: packed.base)
    }

    private func packedForm(points: Int) -> (shape: syrinx_conv, weights: AlignedBuffer) {
        var shape = syrinx_transposed_conv(
            numericCast(kernel), numericCast(stride), numericCast(inputChannels), numericCast(outputChannels),
            numericCast(points))
        let packed = weights.packed(.fast(points: points)) { values in
            let buffer = AlignedBuffer(count: syrinx_conv_weights_size(&shape), isZeroed: false)
            let strides = syrinx_transposed_conv_strides(
                numericCast(kernel), numericCast(stride), numericCast(inputChannels), numericCast(outputChannels))
            syrinx_conv_pack(
                &shape, values.pointer, strides, Double(inputScale), bias.map { UnsafePointer($0.base) }, buffer.base)
            return buffer
        }
        return (shape, packed)
    }
}

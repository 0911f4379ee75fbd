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
    // SAFETY: filled here and only read after that; the buffers that it points into live as long
    // as this object.
    private nonisolated(unsafe) let stage: UnsafeMutablePointer<syrinx_stage>
    private let buffers: [AlignedBuffer]

    /// - Parameters:
    ///   - branches: the convolutions of each branch in order; with `isPaired` they come in pairs
    ///     inside one residual (resblock 1).
    ///   - slope: of the leaky ReLU before the upsampler and before each convolution.
    ///   - points: products a tile at most.
    /// - Returns: nil where the kernel does not know the shape.
    package init?(
        upsample: TransposedConvolution, branches: [[Convolution]], isPaired: Bool, slope: Float, points: Int
    ) {
        guard
            var shape = Self.shape(
                upsample: upsample, branches: branches, isPaired: isPaired, slope: slope, points: points)
        else { return nil }
        channels = upsample.outputChannels
        inputChannels = upsample.inputChannels
        stride = upsample.stride
        var buffers: [AlignedBuffer] = []
        shape.upsampler = upsample.packedLayer(points: points, keeping: &buffers)
        let made = branches.map { $0.map { $0.packedLayer(points: points, keeping: &buffers) } }
        shape.fill(made)
        stage = .allocate(capacity: 1)
        stage.initialize(to: shape)
        self.buffers = buffers
    }

    deinit { stage.deallocate() }

    /// Whether the kernel can run a stage of this shape; no weights are made.
    package static func knows(
        upsample: TransposedConvolution, branches: [[Convolution]], isPaired: Bool, slope: Float, points: Int
    ) -> Bool {
        shape(upsample: upsample, branches: branches, isPaired: isPaired, slope: slope, points: points) != nil
    }

    /// Rows after which all branches end a whole tile, at most: 480 in Piper's medium voices.
    private static let largestGrid = 1 << 16
    /// Floats that a stream keeps, or a step needs, at most; a full-size voice has some 2^20.
    private static let largestSize = 1 << 24
    /// Floats that each of a step's threads needs besides, at most; a full-size voice has some 2^18.
    private static let largestShare = 1 << 21

    /// The stage without its weights; nil where the kernel does not know the shape, or where what it
    /// would keep is out of proportion, as dilations come from a file that is not trusted.
    private static func shape(
        upsample: TransposedConvolution, branches: [[Convolution]], isPaired: Bool, slope: Float, points: Int
    ) -> syrinx_stage? {
        let layers = branches.first?.count ?? 0
        let channels = upsample.outputChannels
        guard upsample.kernel % upsample.stride == 0, 2 * upsample.cut == upsample.kernel - upsample.stride,
            slope >= 0, slope <= 1, layers > 0, layers <= Int(syrinx_stage_max_layers),
            !isPaired || layers % 2 == 0,
            branches.count <= Int(syrinx_stage_max_blocks), branches.allSatisfy({ $0.count == layers }),
            branches.joined().allSatisfy({
                $0.kernel % 2 == 1 && 2 * $0.padding == ($0.kernel - 1) * $0.dilation
                    && $0.inputChannels == channels && $0.outputChannels == channels && $0.layout.isPlain
            })
        else { return nil }
        var grid = 1
        for last in branches.compactMap(\.last) {
            let step = max(1, Int(last.shape(points: points).tile)) * last.dilation
            grid = grid / greatestCommonDivisor(grid, step) * step
            guard grid <= largestGrid else { return nil }
        }
        var stage = syrinx_stage()
        stage.upsampler.conv = upsample.shape(points: points)
        stage.stride = numericCast(upsample.stride)
        stage.padding = numericCast(upsample.cut)
        stage.channels = numericCast(channels)
        stage.slope = slope
        stage.blocks = numericCast(branches.count)
        stage.layers = numericCast(layers)
        stage.type = isPaired ? 1 : 2
        stage.fill(branches.map { $0.map { syrinx_layer(conv: $0.shape(points: points), packed: nil) } })
        let alone = syrinx_stage_scratch_size(&stage, 1)
        guard syrinx_stage_memory_size(&stage) <= largestSize, alone <= largestSize,
            syrinx_stage_scratch_size(&stage, 2) - alone <= largestShare
        else { return nil }
        return stage
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }

    /// Output rows that a step of so many input rows gives at most.
    package func outputBound(rows: Int) -> Int { Int(syrinx_stage_output_bound(stage, rows)) }

    /// What a stream carries from step to step. One thread at a time.
    package final class State {
        fileprivate var state = syrinx_stage_state()
        fileprivate let memory: AlignedBuffer

        package init(_ stage: FusedStage) {
            memory = AlignedBuffer(count: syrinx_stage_memory_size(stage.stage), isZeroed: false)
            syrinx_stage_start(stage.stage, &state, 0, memory.base)
        }
    }

    /// Rows on their way into a stage.
    // SAFETY: used before the chunk or the window that they lie in changes.
    package struct Input {
        /// Where the rows lie; nothing where there are none.
        fileprivate let base: UnsafePointer<Float>?
        fileprivate let count: Int
        fileprivate let channels: Int
        /// The place in time of the first one, where it is known.
        fileprivate let first: Int?

        package init(_ chunk: RowChunk) {
            (base, count, channels, first) = (UnsafePointer(chunk.base), chunk.rows, chunk.channels, nil)
        }

        package init(_ window: RowWindow, rows: Range<Int>) {
            base = rows.isEmpty ? nil : UnsafePointer(window.pointer(at: rows.lowerBound))
            (count, channels, first) = (rows.count, window.channels, rows.lowerBound)
        }
    }

    /// Takes in the rows that follow the ones taken in before, before the activation, and gives those that they
    /// settle.
    ///
    /// - Parameters:
    ///   - input: `[T, Cin]`.
    ///   - isLast: nothing follows; all that is left comes out.
    ///   - isEager: gives all that the input allows, at the price of partial tiles.
    ///   - pool: shares the work of each layer; the bits are the same.
    package func step(
        _ input: Input, isLast: Bool, isEager: Bool, state: State, pool: WorkerPool, to output: RowChunk
    ) {
        precondition(output.channels == channels)
        output.fill(limit: limit(input, isLast: isLast)) {
            run(input, isLast: isLast, isEager: isEager, state: state, pool: pool, to: $0)
        }
    }

    /// The same, appended to a window.
    package func step(
        _ input: Input, isLast: Bool, isEager: Bool, state: State, pool: WorkerPool,
        appendingTo output: RowWindow
    ) {
        precondition(output.channels == channels)
        output.append(atMost: limit(input, isLast: isLast)) {
            run(input, isLast: isLast, isEager: isEager, state: state, pool: pool, to: $0)
        }
    }

    private func limit(_ input: Input, isLast: Bool) -> Int {
        input.count > 0 || isLast ? outputBound(rows: input.count) : 0
    }

    private func run(
        _ input: Input, isLast: Bool, isEager: Bool, state: State, pool: WorkerPool,
        to target: UnsafeMutablePointer<Float>
    ) -> Int {
        precondition(input.channels == inputChannels)
        precondition(input.first.map { $0 == Int(state.state.received) } ?? true, "rows come in order")
        guard input.count > 0 || isLast else { return 0 }
        let scratch = ThreadScratch.floats(syrinx_stage_scratch_size(stage, numericCast(pool.threads)))
        return pool.withTeam { team in
            Int(
                syrinx_stage_step(
                    stage, &state.state, input.base, inputChannels, input.count, isEager, isLast, team, target,
                    scratch))
        }
    }
}

extension WorkerPool {
    /// Calls `body` with the pool as the kernels call it; with nothing where it is one thread.
    fileprivate func withTeam<Result>(_ body: (UnsafePointer<syrinx_team>?) -> Result) -> Result {
        guard threads > 1 else { return body(nil) }
        var team = syrinx_team()
        team.threads = numericCast(threads)
        // SAFETY: the pool outlives the call.
        team.context = Unmanaged.passUnretained(self).toOpaque()
        team.run = { context, count, task, shares in
            guard let context, let task else { return }
            Unmanaged<WorkerPool>.fromOpaque(context).takeUnretainedValue().run(Int(count), shares, task)
        }
        return withUnsafePointer(to: team) { body($0) }
    }
}

extension syrinx_stage {
    /// Sets the layers of each branch.
    fileprivate mutating func fill(_ branches: [[syrinx_layer]]) {
        // C's layer[blocks][layers] is a tuple of tuples here: its memory is filled instead.
        withUnsafeMutableBytes(of: &layer) { raw in
            let all = raw.bindMemory(to: syrinx_layer.self)
            for (r, branch) in branches.enumerated() {
                for (l, layer) in branch.enumerated() { all[r * Int(syrinx_stage_max_layers) + l] = layer }
            }
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

    /// The shape as the kernels describe it; K is a multiple of S.
    fileprivate func shape(points: Int) -> syrinx_conv {
        syrinx_transposed_conv(
            numericCast(kernel), numericCast(stride), numericCast(inputChannels), numericCast(outputChannels),
            numericCast(min(points, mostPoints)))
    }

    /// With 2 taps a longer tile saves few products and costs as many more weights. They are the largest of a
    /// decoder and used for few rows: the largest ones do best with the fewest.
    private var mostPoints: Int {
        guard kernel == 2 * stride else { return .max }
        return inputChannels * stride * outputChannels < 1 << 18 ? 6 : 4
    }

    private func packedForm(points: Int) -> (shape: syrinx_conv, weights: AlignedBuffer) {
        var shape = shape(points: points)
        let packed = weights.packed(.fast(points: points)) { values in
            let buffer = AlignedBuffer(weights: syrinx_conv_weights_size(&shape))
            let strides = syrinx_transposed_conv_strides(
                numericCast(kernel), numericCast(stride), numericCast(inputChannels),
                numericCast(outputChannels))
            syrinx_conv_pack(
                &shape, values.pointer, strides, Double(inputScale), bias.map { UnsafePointer($0.base) },
                buffer.base)
            return buffer
        }
        return (shape, packed)
    }
}

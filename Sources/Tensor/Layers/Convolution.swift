import CKernels

/// A stride-1 convolution over time, `[T, Cin]` to `[T, Cout]`, with zero padding that keeps the length.
///
///     y[t] = bias + Σ_k x[t − padding + k·dilation] · W_k
package struct Convolution: Sendable {
    package let inputChannels: Int
    package let outputChannels: Int
    package let kernel: Int
    package let dilation: Int
    /// Zero rows that the input needs on either side.
    package let padding: Int
    let weights: PackedWeights
    /// `[Cout]`, or nil.
    let bias: AlignedBuffer?
    let layout: Layout

    /// How the source's `[Cout, Cin, K]` is read.
    package struct Layout: Sendable {
        /// What the input is multiplied by, taken into the weights.
        package var inputScale: Float
        /// What the result, bias included, is multiplied by.
        package var resultScale: Float
        /// The input channels back to front.
        package var reversesInputs: Bool
        /// The output channels back to front.
        package var reversesOutputs: Bool

        package init(
            inputScale: Float = 1, resultScale: Float = 1, reversesInputs: Bool = false,
            reversesOutputs: Bool = false
        ) {
            self.inputScale = inputScale
            self.resultScale = resultScale
            self.reversesInputs = reversesInputs
            self.reversesOutputs = reversesOutputs
        }
    }

    /// - Parameters:
    ///   - weight: `[Cout, Cin, K]`, as checkpoints store it.
    ///   - bias: `[Cout]` in the source's order, or empty.
    ///   - padding: zero rows on either side; by default those that keep the length.
    package init(
        weight: any WeightSource, bias: [Float], inputChannels: Int, outputChannels: Int, kernel: Int,
        dilation: Int = 1, padding: Int? = nil, layout: Layout = Layout()
    ) {
        precondition(bias.isEmpty || bias.count == outputChannels)
        self.inputChannels = inputChannels
        self.outputChannels = outputChannels
        self.kernel = kernel
        self.dilation = dilation
        self.padding = padding ?? (kernel - 1) * dilation / 2
        self.layout = layout
        weights = PackedWeights(weight)
        self.bias =
            bias.isEmpty
            ? nil
            : AlignedBuffer(
                (0..<outputChannels).map {
                    bias[layout.sourceOutput($0, of: outputChannels)] * layout.resultScale
                })
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
    ///   - outputColumn: the first of the Cout columns of `output` that are written.
    ///   - residual: `[T, Cout]` that is added to the result, in `set` mode and without an extra bias; or nil.
    ///   - extraBias: `[Cout]` added to every row, such as a speaker's; or nil.
    package func apply(
        _ input: RowWindow, inputColumn: Int = 0, rows: Range<Int>, to output: RowWindow,
        outputColumn: Int = 0, mode: Mode = .set, residual: RowWindow? = nil, extraBias: AlignedBuffer? = nil,
        form: ConvolutionForm, pool: WorkerPool
    ) {
        guard !rows.isEmpty else { return }
        if let residual {
            precondition(mode == .set && extraBias == nil && residual.channels == outputChannels)
            precondition(output.channels == outputChannels)
            output.set(to: residual, rows: rows)
            apply(
                input, inputColumn: inputColumn, rows: rows, to: output, mode: .add, form: form, pool: pool)
            return
        }
        precondition(
            inputColumn + inputChannels <= input.channels && outputColumn + outputChannels <= output.channels)
        precondition(
            rows.lowerBound - padding >= input.start
                && rows.upperBound - 1 - padding + (kernel - 1) * dilation < input.readable)
        if isDotProduct && inputChannels == input.channels && output.channels == 1 && extraBias == nil {
            applyToOneChannel(input, rows: rows, to: output, mode: mode)
        } else if form == .plain || !isPackable {
            applyPlain(
                input, inputColumn: inputColumn, rows: rows, to: output, outputColumn: outputColumn,
                mode: mode,
                extraBias: extraBias, pool: pool)
        } else {
            applyPacked(
                input, inputColumn: inputColumn, rows: rows, to: output, outputColumn: outputColumn,
                mode: mode,
                extraBias: extraBias, form: form, pool: pool)
        }
    }

    /// Whether each output row is one sum over contiguous rows of input.
    package var isDotProduct: Bool { outputChannels == 1 && dilation == 1 }

    /// Whether the kernels can describe the shape: the padding is a whole number of taps.
    var isPackable: Bool { padding % dilation == 0 }

    /// The result for a single row `[Cin]` with kernel 1, such as a speaker's embedding: `[Cout]`.
    package func vector(_ x: [Float]) -> AlignedBuffer {
        precondition(kernel == 1 && x.count == inputChannels)
        let y = bias.map { AlignedBuffer($0.array) } ?? AlignedBuffer(count: outputChannels)
        let weight = tapMajor()
        for i in 0..<inputChannels {
            let row = weight.base + i * outputChannels
            for o in 0..<outputChannels { y.base[o] += x[i] * row[o] }
        }
        return y
    }
}

extension Convolution.Layout {
    /// What the weights are multiplied by.
    var weightScale: Float { inputScale * resultScale }

    /// Whether outputs and inputs lie as in the source.
    var isPlain: Bool { !reversesInputs && !reversesOutputs }

    /// The source's channel that output channel `o` of `count` is.
    func sourceOutput(_ o: Int, of count: Int) -> Int { reversesOutputs ? count - 1 - o : o }
}

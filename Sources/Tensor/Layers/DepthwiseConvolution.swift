/// A depthwise convolution over time, `[T, C]` to `[T, C]`: each channel with its own kernel, zero
/// padding that keeps the length.
package struct DepthwiseConvolution: Sendable {
    package let channels: Int
    package let kernel: Int
    package let dilation: Int
    package let padding: Int
    /// `[K, C]`.
    private let weight: AlignedBuffer
    /// `[C]`.
    private let bias: AlignedBuffer

    /// - Parameters:
    ///   - weight: `[C, 1, K]`, as checkpoints store it.
    ///   - bias: `[C]`, or empty.
    package init(weight: [Float], bias: [Float], channels: Int, kernel: Int, dilation: Int) {
        precondition(weight.count == channels * kernel && (bias.isEmpty || bias.count == channels))
        self.channels = channels
        self.kernel = kernel
        self.dilation = dilation
        padding = (kernel - 1) * dilation / 2
        self.weight = AlignedBuffer(count: kernel * channels)
        for c in 0..<channels {
            for k in 0..<kernel { self.weight.base[k * channels + c] = weight[c * kernel + k] }
        }
        self.bias = bias.isEmpty ? AlignedBuffer(count: channels) : AlignedBuffer(bias)
    }

    /// Writes the output rows `rows`, which `output` already holds.
    ///
    /// - Parameter input: holds rows − padding ..< rows + (K−1)·dilation − padding.
    package func apply(_ input: RowWindow, rows: Range<Int>, to output: RowWindow) {
        guard !rows.isEmpty else { return }
        precondition(input.channels == channels && output.channels == channels)
        precondition(
            rows.lowerBound - padding >= input.start
                && rows.upperBound - 1 - padding + (kernel - 1) * dilation < input.readable)
        for t in rows {
            let y = output.pointer(at: t)
            y.update(from: bias.base, count: channels)
            for k in 0..<kernel {
                let x = input.pointer(at: t - padding + k * dilation)
                let w = weight.base + k * channels
                for c in 0..<channels { y[c] += x[c] * w[c] }
            }
        }
    }
}

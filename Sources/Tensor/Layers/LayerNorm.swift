import CKernels

/// Layer normalisation of each row, `[T, C]`.
package struct LayerNorm: Sendable {
    private let gain: AlignedBuffer
    private let bias: AlignedBuffer
    private let epsilon: Float

    /// - Parameters:
    ///   - gain: `[C]`, γ.
    ///   - bias: `[C]`, β.
    package init(gain: [Float], bias: [Float], epsilon: Float = 1e-5) {
        precondition(gain.count == bias.count)
        self.gain = AlignedBuffer(gain)
        self.bias = AlignedBuffer(bias)
        self.epsilon = epsilon
    }

    /// Normalises the rows in place.
    package func apply(_ signal: RowWindow, rows: Range<Int>) {
        precondition(signal.channels == gain.count)
        guard !rows.isEmpty else { return }
        let base = signal.pointer(at: rows.lowerBound)
        syrinx_layer_norm(
            base, gain.count, gain.base, bias.base, epsilon, base, gain.count, rows.count, gain.count)
    }
}

/// How a convolution is computed. All forms give the same result within rounding; each gives the
/// same bits for the same rows, whatever the number of threads.
package enum ConvolutionForm: Sendable, Hashable {
    /// K products of row-shifted views over OpenBLAS: the oracle of the others, and the form of shapes
    /// that the kernels do not describe.
    case plain
    /// The same sum in this package's kernels, with weights packed panel by panel while they are
    /// used: nothing to prepare and nothing kept, for a layer that is used once.
    case direct
    /// The bits of `direct`, the packed weights kept.
    case directKept
    /// Toom–Cook over time with at most so many products a tile, the transformed weights kept; where
    /// no transform fits the shape, `directKept`.
    case fast(points: Int)
}

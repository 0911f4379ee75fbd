/// Taps as functions of the fractional delay, for ratios whose own phases would be too many: 22 050 →
/// 24 001 Hz has 24 001 of them.
///
/// The delays 0 ..< 1 are cut into segments; in each, every tap is a cubic polynomial through the
/// prototype at the four Chebyshev nodes, which is within 13 % of the best cubic there is. With h the
/// prototype, its error is at most max|h''''|/(4!·2⁷)·segments⁻⁴, and |h''''| ≤ π⁴·bandwidth⁵: at 64
/// segments 2·10⁻⁹ (-174 dB), whatever the ratio. Where the band shrinks, so does the number of
/// segments, and the table's size stays what it is.
struct CubicBank<Scalar: FIRScalar>: Sendable {
    let ratio: RateRatio
    /// Input samples that one output reads, before padding.
    let taps: Int
    /// `taps` rounded up to whole lanes.
    let rows: Int
    let segments: Int
    /// [segments, 4, rows]: the polynomial's coefficients, constant first.
    let coefficients: AlignedStorage<Scalar>

    init(ratio: RateRatio, prototype: LowpassPrototype) {
        self.ratio = ratio
        taps = 2 * Int(prototype.halfWidth.rounded(.up))
        rows = roundUp(taps, to: Scalar.lanes)
        segments = max(4, Int((64 * ratio.bandwidth).rounded(.up)))
        coefficients = AlignedStorage(count: segments * 4 * rows)

        // Nodes on 0 ... 1, and the divided differences' way from values to powers of u.
        let nodes = (0..<4).map { 0.5 - 0.5 * Self.chebyshev[$0] }
        for segment in 0..<segments {
            let matrix = coefficients.pointer + segment * 4 * rows
            for tap in 0..<taps {
                let values = nodes.map { node in
                    prototype(Double(tap - (taps / 2 - 1)) - (Double(segment) + node) / Double(segments))
                }
                for (power, value) in Self.polynomial(through: values, at: nodes).enumerated() {
                    matrix[power * rows + tap] = Scalar(value)
                }
            }
        }
    }

    /// cos((2k + 1)π/8): the roots of the fourth Chebyshev polynomial.
    private static var chebyshev: [Double] {
        [
            0.923_879_532_511_286_7, 0.382_683_432_365_089_8, -0.382_683_432_365_089_8,
            -0.923_879_532_511_286_7,
        ]
    }

    /// Newton's interpolation, expanded to powers: exact for four nodes up to rounding.
    private static func polynomial(through values: [Double], at nodes: [Double]) -> [Double] {
        var differences = values
        for order in 1..<4 {
            for index in stride(from: 3, through: order, by: -1) {
                differences[index] =
                    (differences[index] - differences[index - 1]) / (nodes[index] - nodes[index - order])
            }
        }
        var powers = [0.0, 0, 0, 0]
        for order in stride(from: 3, through: 0, by: -1) {
            // powers ← powers · (u - node) + difference
            for index in stride(from: 3, through: 1, by: -1) {
                powers[index] = powers[index - 1] - nodes[order] * powers[index]
            }
            powers[0] = differences[order] - nodes[order] * powers[0]
        }
        return powers
    }
}

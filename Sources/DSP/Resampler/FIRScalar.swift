import CKernels

/// The two precisions that filters run in: the kernels for each.
protocol FIRScalar: BinaryFloatingPoint, BitwiseCopyable, Sendable {
    /// Neighbouring outputs that a group kernel makes at once.
    static var lanes: Int { get }

    /// `out[r * lanes + l] = Σ coefficients[row * lanes + l] * x[r * stride + row]`.
    static func filterGroup(
        _ x: UnsafePointer<Self>, stride: Int, repeats: Int, coefficients: UnsafePointer<Self>, rows: Int,
        into out: UnsafeMutablePointer<Self>, level: syrinx_level)

    /// One output of a filter with cubic taps, at the fraction `u` of its segment.
    static func filterCubic(
        _ x: UnsafePointer<Self>, coefficients: UnsafePointer<Self>, taps: Int, u: Self, level: syrinx_level
    ) -> Self
}

extension Float: FIRScalar {
    static var lanes: Int { syrinx_fir_lanes_f32 }

    static func filterGroup(
        _ x: UnsafePointer<Float>, stride: Int, repeats: Int, coefficients: UnsafePointer<Float>, rows: Int,
        into out: UnsafeMutablePointer<Float>, level: syrinx_level
    ) {
        syrinx_fir_group_f32(level, out, lanes, x, stride, repeats, coefficients, rows)
    }

    static func filterCubic(
        _ x: UnsafePointer<Float>, coefficients: UnsafePointer<Float>, taps: Int, u: Float,
        level: syrinx_level
    ) -> Float {
        syrinx_fir_cubic_f32(level, x, coefficients, taps, u)
    }
}

extension Double: FIRScalar {
    static var lanes: Int { syrinx_fir_lanes_f64 }

    static func filterGroup(
        _ x: UnsafePointer<Double>, stride: Int, repeats: Int, coefficients: UnsafePointer<Double>,
        rows: Int, into out: UnsafeMutablePointer<Double>, level: syrinx_level
    ) {
        syrinx_fir_group_f64(level, out, lanes, x, stride, repeats, coefficients, rows)
    }

    static func filterCubic(
        _ x: UnsafePointer<Double>, coefficients: UnsafePointer<Double>, taps: Int, u: Double,
        level: syrinx_level
    ) -> Double {
        syrinx_fir_cubic_f64(level, x, coefficients, taps, u)
    }
}

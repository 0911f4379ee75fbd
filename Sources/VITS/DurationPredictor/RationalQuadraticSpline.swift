import Glibc

/// A monotone rational-quadratic spline on [−5, 5] with linear tails (Durkan et al. 2019, "Neural
/// Spline Flows", section 3.1), of which the inverse is wanted.
///
/// In double precision: a phoneme's duration is the ceiling of what comes out, and there are only a
/// few dozen numbers an id.
struct RationalQuadraticSpline {
    static let tailBound = 5.0
    private static let minimumSize = 1e-3
    private static let minimumSlope = 1e-3

    /// Knots, bins + 1 of each.
    private var x: [Double]
    private var y: [Double]
    private var slope: [Double]

    /// - Parameters:
    ///   - parameters: `[3·bins − 1]`: logits of the widths, of the heights, and the inner slopes
    ///     before softplus. The slopes at both ends are 1.
    ///   - logitScale: what the logits are divided by.
    init(parameters: Span<Float>, bins: Int, logitScale: Float) {
        precondition(parameters.count == 3 * bins - 1)
        x = Self.knots(parameters.extracting(0..<bins), scale: logitScale)
        y = Self.knots(parameters.extracting(bins..<2 * bins), scale: logitScale)
        slope = [Double](repeating: 1, count: bins + 1)
        for i in 1..<max(bins, 1) {
            let raw = Double(parameters[2 * bins + i - 1])
            slope[i] = Self.minimumSlope + max(raw, 0) + log1p(exp(-abs(raw)))
        }
    }

    private static func knots(_ logits: Span<Float>, scale: Float) -> [Double] {
        let bins = logits.count
        var peak = -Double.infinity
        for i in 0..<bins { peak = max(peak, Double(logits[i] / scale)) }
        var sizes = [Double](repeating: 0, count: bins)
        var sum = 0.0
        for i in 0..<bins {
            sizes[i] = exp(Double(logits[i] / scale) - peak)
            sum += sizes[i]
        }
        var knots = [Double](repeating: -tailBound, count: bins + 1)
        var total = 0.0
        for i in 0..<bins {
            total += minimumSize + (1 - minimumSize * Double(bins)) * sizes[i] / sum
            knots[i + 1] = 2 * tailBound * total - tailBound
        }
        knots[bins] = tailBound
        return knots
    }

    /// The x whose image is `value`; `value` itself in the tails, and for NaN.
    func inverse(_ value: Float) -> Float {
        let v = Double(value)
        guard v >= -Self.tailBound, v <= Self.tailBound else { return value }
        // The bin is clamped: with knots that are not ordered (NaN weights) none may fit.
        var bin = 0
        while bin < y.count - 2, v >= y[bin + 1] { bin += 1 }
        let width = x[bin + 1] - x[bin]
        let height = y[bin + 1] - y[bin]
        let ratio = height / width
        let rise = v - y[bin]
        let curvature = slope[bin] + slope[bin + 1] - 2 * ratio
        let a = rise * curvature + height * (ratio - slope[bin])
        let b = height * slope[bin] - rise * curvature
        let c = -ratio * rise
        let root = 2 * c / (-b - max(b * b - 4 * a * c, 0).squareRoot())
        return Float(root * width + x[bin])
    }
}

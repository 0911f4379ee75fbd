import Glibc

/// The impulse response that every filter bank samples: a sinc under a Kaiser window, in continuous
/// time, so that any fractional delay can be read from it.
///
/// Source: J. F. Kaiser, "Nonrecursive digital filter design using the I0-sinh window function",
/// IEEE ISCAS 1974; the two formulas are (7.75) and (7.76) of Oppenheim and Schafer, "Discrete-Time
/// Signal Processing", third edition. The stop band begins at Nyquist, not around it: the cut-off is
/// put half a transition lower.
struct LowpassPrototype {
    /// Half the support, in input samples: the response is zero from here on.
    let halfWidth: Double
    /// The -6 dB point, in cycles an input sample.
    let cutoff: Double
    private let beta: Double
    private let edge: Double

    /// - Parameter bandwidth: lower Nyquist over the input's, 0 < bandwidth ≤ 1.
    init(quality: ResamplerQuality, bandwidth: Double) {
        let attenuation = quality.designAttenuation
        // Width of the transition in cycles a sample, from A = 2.285·(N - 1)·Δω + 7.95.
        let transition = (attenuation - 7.95) / (2.285 * 2 * .pi * Double(quality.taps))
        self.init(
            halfWidth: Double(quality.taps) / 2 / bandwidth, attenuation: attenuation,
            cutoff: (0.5 - transition / 2) * bandwidth)
    }

    /// - Parameters:
    ///   - halfWidth: half the support, in input samples.
    ///   - attenuation: of the stop band, in dB, above 50.
    ///   - cutoff: the -6 dB point, in cycles an input sample.
    init(halfWidth: Double, attenuation: Double, cutoff: Double) {
        self.halfWidth = halfWidth
        self.cutoff = cutoff
        beta = 0.1102 * (attenuation - 8.7)
        edge = Self.besselI0(beta)
    }

    /// The response at `time` input samples from its centre. Even in `time`; unit gain at 0 Hz up to
    /// the window's ripple.
    func callAsFunction(_ time: Double) -> Double {
        let position = time / halfWidth
        let inside = 1 - position * position
        guard inside > 0 else { return 0 }
        let angle = 2 * .pi * cutoff * time
        let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
        return 2 * cutoff * sinc * Self.besselI0(beta * inside.squareRoot()) / edge
    }

    /// The modified Bessel function of the first kind and order zero, by its power series
    /// Σ ((x/2)ᵏ / k!)² (Abramowitz and Stegun 9.6.12). All terms are positive: no cancellation, and
    /// the sum is good to a few ulp.
    static func besselI0(_ x: Double) -> Double {
        let quarter = x * x / 4
        var term = 1.0
        var sum = 1.0
        var k = 1.0
        while term > sum * 1e-17 {
            term *= quarter / (k * k)
            sum += term
            k += 1
        }
        return sum
    }
}

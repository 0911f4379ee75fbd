import Glibc

/// amplitude · sin(2π·hertz·n/rate + phase), rounded once to float32.
func tone(_ hertz: Double, rate: Double, count: Int, amplitude: Double = 1, phase: Double = 0) -> [Float] {
    (0..<count).map { n in
        // The cycle is reduced before the sine so that long tones stay exact.
        let cycles = (hertz * Double(n)).truncatingRemainder(dividingBy: rate) / rate
        return Float(amplitude * sin(2 * .pi * cycles + phase))
    }
}

/// What is in a recording besides a tone of known frequency.
struct ToneFit {
    /// Of the tone.
    var amplitude: Double
    /// Of the tone, in radians, as in `tone`.
    var phase: Double
    /// Power of everything else over the power of a tone of amplitude 1, in dB.
    var residual: Double

    /// Least squares over `range`, by the normal equations of sine and cosine.
    init(_ samples: [Float], hertz: Double, rate: Double, over range: Range<Int>) {
        var (ss, sc, cc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        func basis(_ n: Int) -> (Double, Double) {
            let angle = 2 * .pi * (hertz * Double(n)).truncatingRemainder(dividingBy: rate) / rate
            return (sin(angle), cos(angle))
        }
        for n in range {
            let (s, c) = basis(n)
            let x = Double(samples[n])
            ss += s * s
            sc += s * c
            cc += c * c
            xs += x * s
            xc += x * c
        }
        let determinant = ss * cc - sc * sc
        let a = (xs * cc - xc * sc) / determinant
        let b = (xc * ss - xs * sc) / determinant
        var power = 0.0
        for n in range {
            let (s, c) = basis(n)
            let rest = Double(samples[n]) - a * s - b * c
            power += rest * rest
        }
        amplitude = (a * a + b * b).squareRoot()
        phase = atan2(b, a)
        residual = 10 * log10(power / Double(range.count) / 0.5 + 1e-40)
    }
}

/// 20·log10.
func decibels(_ ratio: Double) -> Double { 20 * log10(ratio) }

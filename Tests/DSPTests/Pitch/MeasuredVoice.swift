import Foundation

/// F0 and formants of a sound, measured by other means than those of the library: autocorrelation of single
/// frames with Boersma's window correction and no path, and the poles of linear prediction.
/// `MeasuredVoiceTests` holds it against Praat.
struct MeasuredVoice {
    /// Hertz, at the times asked for; 0 where no clear pitch is.
    let pitch: [Double]
    /// Of each time: the first three resonances in hertz, or fewer.
    let formants: [[Double]]

    /// - Parameter lowest: the lowest fundamental to look for, in hertz.
    init(_ samples: [Float], sampleRate: Int, at times: [Double], lowest: Double) {
        let rate = Double(sampleRate) / 2
        let half = Self.halved(samples)
        pitch = times.map { Self.pitch(of: half, around: Int($0 * rate), rate: rate, lowest: lowest) }
        formants = times.map { Self.formants(of: half, around: Int($0 * rate), rate: rate) }
    }

    /// Every second sample, behind a Hamming-windowed sinc.
    private static func halved(_ samples: [Float]) -> [Double] {
        let reach = 24
        let taps = (-reach...reach).map { k -> Double in
            let x = Double(k) * .pi * 0.46
            let sinc = k == 0 ? 0.46 : 0.46 * sin(x) / x
            return sinc * (0.54 + 0.46 * cos(.pi * Double(k) / Double(reach + 1)))
        }
        return (0..<samples.count / 2).map { n in
            var sum = 0.0
            for (k, tap) in taps.enumerated() where samples.indices.contains(2 * n + k - reach) {
                sum += tap * Double(samples[2 * n + k - reach])
            }
            return sum
        }
    }

    private static func frame(_ samples: [Double], around centre: Int, count: Int) -> [Double] {
        (0..<count).map { i in
            let position = centre - count / 2 + i
            let window = 0.5 - 0.5 * cos(2 * .pi * (Double(i) + 0.5) / Double(count))
            return samples.indices.contains(position) ? samples[position] * window : 0
        }
    }

    private static func autocorrelation(_ frame: [Double], upTo last: Int) -> [Double] {
        (0...last).map { lag in
            var sum = 0.0
            for i in 0..<max(0, frame.count - lag) { sum += frame[i] * frame[i + lag] }
            return sum
        }
    }

    private static func pitch(of samples: [Double], around centre: Int, rate: Double, lowest: Double)
        -> Double
    {
        let count = Int(3 * rate / lowest)
        let longest = Int(rate / lowest)
        let sound = autocorrelation(frame(samples, around: centre, count: count), upTo: longest + 1)
        let window = autocorrelation(
            frame([Double](repeating: 1, count: count), around: count / 2, count: count), upTo: longest + 1)
        guard sound[0] > 1e-6 else { return 0 }
        let r = zip(sound, window).map { $0 / sound[0] / ($1 / window[0]) }
        var best = (value: 0.6, hertz: 0.0)
        for lag in Int(rate / 500)...longest where r[lag] > r[lag - 1] && r[lag] >= r[lag + 1] {
            let offset = (r[lag - 1] - r[lag + 1]) / 2 / (r[lag - 1] - 2 * r[lag] + r[lag + 1])
            let hertz = rate / (Double(lag) + offset)
            // The shorter of two lags that fit about equally well is the period.
            let value = r[lag] + 0.02 * log2(hertz / lowest)
            if value > best.value { best = (value, hertz) }
        }
        return best.hertz
    }

    private static func formants(of samples: [Double], around centre: Int, rate: Double) -> [Double] {
        let emphasis = exp(-2 * .pi * 50 / rate)
        let count = Int(0.05 * rate)
        let first = max(centre - count / 2, 1)
        let last = min(first + count, samples.count)
        guard first < last else { return [] }
        let emphasised = (first..<last).map { samples[$0] - emphasis * samples[$0 - 1] }
        let r = autocorrelation(
            frame(emphasised, around: emphasised.count / 2, count: emphasised.count), upTo: 12)
        guard r[0] > 0 else { return [] }
        return PolynomialRoots.find(prediction(r)).compactMap { root -> Double? in
            let hertz = atan2(root.imaginary, root.real) * rate / (2 * .pi)
            let bandwidth = -log(hypot(root.real, root.imaginary)) * rate / .pi
            return hertz > 90 && hertz < rate / 2 - 90 && bandwidth < 700 ? hertz : nil
        }.sorted()
    }

    /// The coefficients of the error filter, 1 first, by Levinson's recursion.
    private static func prediction(_ r: [Double]) -> [Double] {
        var a = [1.0]
        var error = r[0] * (1 + 1e-9)
        for order in 1..<r.count {
            var sum = 0.0
            for (k, value) in a.enumerated() { sum += value * r[order - k] }
            let reflection = -sum / error
            let padded = a + [0]
            a = zip(padded, padded.reversed()).map { $0 + reflection * $1 }
            error *= 1 - reflection * reflection
        }
        return a
    }
}

/// All roots of a polynomial at once (Durand and Kerner).
enum PolynomialRoots {
    struct Complex {
        var real: Double
        var imaginary: Double
        static func * (a: Complex, b: Complex) -> Complex {
            Complex(
                real: a.real * b.real - a.imaginary * b.imaginary,
                imaginary: a.real * b.imaginary + a.imaginary * b.real)
        }
        static func - (a: Complex, b: Complex) -> Complex {
            Complex(real: a.real - b.real, imaginary: a.imaginary - b.imaginary)
        }
        static func / (a: Complex, b: Complex) -> Complex {
            let square = b.real * b.real + b.imaginary * b.imaginary
            let product = a * Complex(real: b.real, imaginary: -b.imaginary)
            return Complex(real: product.real / square, imaginary: product.imaginary / square)
        }
    }

    /// - Parameter coefficients: of falling powers, the first 1.
    static func find(_ coefficients: [Double]) -> [Complex] {
        let degree = coefficients.count - 1
        var roots = (0..<degree).map { k -> Complex in
            let angle = 2 * .pi * (Double(k) + 0.25) / Double(degree)
            return Complex(real: 0.9 * cos(angle), imaginary: 0.9 * sin(angle))
        }
        for _ in 0..<60 {
            for i in roots.indices {
                var value = Complex(real: 0, imaginary: 0)
                for coefficient in coefficients {
                    value = value * roots[i]
                    value.real += coefficient
                }
                var product = Complex(real: 1, imaginary: 0)
                for j in roots.indices where j != i { product = product * (roots[i] - roots[j]) }
                roots[i] = roots[i] - value / product
            }
        }
        return roots
    }
}

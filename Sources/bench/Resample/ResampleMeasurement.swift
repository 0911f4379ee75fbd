import Glibc

/// What a resampler does to sound, measured from outside: it may be anyone's.
struct ResampleMeasurement {
    /// Largest deviation from 0 dB up to 0.91 of the lower Nyquist frequency, in dB.
    var ripple: Double
    /// Largest response above the lower Nyquist frequency, in dB: images when the rate rises, aliases
    /// when it falls.
    var stopBand: Double
    /// Power of everything but the tone over that of the tone, in dB, for each of the tones asked for.
    var distortion: [Double]
    /// Response in dB at even steps from 0 to `span`.
    var response: [Double]
    /// The last frequency of `response`, in hertz.
    var span: Double
}

extension ResampleMeasurement {
    init(
        _ contender: any ResampleContender, from inputRate: Double, to outputRate: Double, tones: [Double]
    ) throws {
        let (up, down) = Self.lowestTerms(Int(outputRate), Int(inputRate))
        guard max(up, down) <= 1000 else {
            throw ResampleFailure.unmeasurable(from: inputRate, to: outputRate)
        }
        let impulse = try Self.impulseResponse(contender, up: up, down: down)
        let rate = inputRate * Double(up)
        let nyquist = min(inputRate, outputRate) / 2
        func level(_ hertz: Double) -> Double {
            20 * log10(max(Self.gain(impulse, at: hertz / rate) / Double(up), 1e-12))
        }
        let points = 1800
        let frequencies = (0..<points).map { 3 * nyquist * Double($0) / Double(points - 1) }
        let levels = frequencies.map(level)
        span = 3 * nyquist
        response = levels
        // Finer near the edges than the plot is, where both worst cases lie.
        ripple = (0...600).map { abs(level(0.91 * nyquist * Double($0) / 600)) }.max() ?? 0
        let edge = (0...1500).map { level(nyquist * (1 + 0.1 * Double($0) / 1500)) }
        stopBand = (edge + zip(frequencies, levels).filter { $0.0 > nyquist }.map(\.1)).max() ?? 0
        distortion = try tones.map { hertz in
            try Self.distortion(contender, hertz: hertz, from: inputRate, to: outputRate)
        }
    }

    /// The response at the least common rate of input and output: impulses at `down` places see every
    /// phase of the filter.
    private static func impulseResponse(
        _ contender: any ResampleContender, up: Int, down: Int
    ) throws -> [Double] {
        // Room on both sides for the longest filter here, a few hundred taps of the lower rate.
        let reach = 1200 * max(1, down / up)
        let start = roundUp(reach, to: down)
        var response = [Double](repeating: 0, count: 2 * reach * up)
        for place in start..<start + down {
            var input = [Float](repeating: 0, count: start + down + reach)
            input[place] = 1
            for (index, sample) in try contender.resample(input).enumerated() {
                let time = index * down - place * up + reach * up
                if response.indices.contains(time) { response[time] = Double(sample) }
            }
        }
        return response
    }

    /// |Σ h[n]·exp(-2πi·f·n)| at `frequency` cycles a sample.
    private static func gain(_ impulse: [Double], at frequency: Double) -> Double {
        let (stepCosine, stepSine) = (cos(2 * .pi * frequency), sin(2 * .pi * frequency))
        var (real, imaginary) = (0.0, 0.0)
        var (c, s) = (1.0, 0.0)
        for (n, value) in impulse.enumerated() {
            if n % 1024 == 0 {
                let angle = 2 * .pi * (frequency * Double(n)).truncatingRemainder(dividingBy: 1)
                (c, s) = (cos(angle), sin(angle))
            }
            real += value * c
            imaginary += value * s
            (c, s) = (c * stepCosine - s * stepSine, s * stepCosine + c * stepSine)
        }
        return (real * real + imaginary * imaginary).squareRoot()
    }

    /// A second of a full-scale tone; the tone found by least squares is taken away from the middle.
    private static func distortion(
        _ contender: any ResampleContender, hertz: Double, from inputRate: Double, to outputRate: Double
    ) throws -> Double {
        let input = (0..<Int(inputRate)).map { n in
            Float(
                0.999
                    * sin(
                        2 * .pi * (hertz * Double(n)).truncatingRemainder(dividingBy: inputRate) / inputRate))
        }
        let output = try contender.resample(input)
        let middle = output.count / 10..<output.count * 9 / 10
        var (ss, sc, cc, xs, xc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        func angle(_ n: Int) -> Double {
            2 * .pi * (hertz * Double(n)).truncatingRemainder(dividingBy: outputRate) / outputRate
        }
        for n in middle {
            let (s, c, x) = (sin(angle(n)), cos(angle(n)), Double(output[n]))
            ss += s * s
            sc += s * c
            cc += c * c
            xs += x * s
            xc += x * c
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((xs * cc - xc * sc) / determinant, (xc * ss - xs * sc) / determinant)
        var (rest, signal) = (0.0, 0.0)
        for n in middle {
            let model = a * sin(angle(n)) + b * cos(angle(n))
            signal += model * model
            rest += (Double(output[n]) - model) * (Double(output[n]) - model)
        }
        return 10 * log10(rest / signal)
    }

    private static func lowestTerms(_ a: Int, _ b: Int) -> (Int, Int) {
        var (x, y) = (a, b)
        while y != 0 { (x, y) = (y, x % y) }
        return (a / x, b / x)
    }

    private static func roundUp(_ value: Int, to step: Int) -> Int { (value + step - 1) / step * step }
}

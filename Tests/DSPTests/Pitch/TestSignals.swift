import Foundation

/// A voice-like sound: harmonics up to 3 kHz, falling by 6 dB an octave, of a fundamental that may move.
func harmonicVoice(seconds: Double, sampleRate: Int, hertz: (Double) -> Double) -> [Float] {
    var phase = 0.0
    return (0..<Int(seconds * Double(sampleRate))).map { n in
        let f = hertz(Double(n) / Double(sampleRate))
        phase += f / Double(sampleRate)
        var value = 0.0
        for harmonic in 1...max(1, Int(3_000 / f)) {
            value += sin(2 * .pi * phase * Double(harmonic)) / Double(harmonic)
        }
        return Float(0.2 * value)
    }
}

func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

/// Root mean square.
func level(_ samples: some Collection<Float>) -> Double {
    (samples.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(max(1, samples.count))).squareRoot()
}

import Glibc

/// Reads a stream between its samples: a sinc of 16 taps under a Kaiser window (β = 8), at 64 fractions of a
/// sample. At a fraction of 0 the samples come out as they are.
struct FractionalReader {
    static let fractions = 64
    private static let taps = 16
    /// Samples read before and after a position.
    static let reach = taps / 2

    private let table: [Float]

    init() {
        var table = [Float]()
        for fraction in 0..<Self.fractions {
            let offset = Double(fraction) / Double(Self.fractions)
            let taps = (0..<Self.taps).map { k -> Double in
                let x = Double(k - Self.reach + 1) - offset
                let sinc = x == 0 ? 1 : sin(.pi * x) / (.pi * x)
                let edge = x / Double(Self.reach)
                return sinc * LowpassPrototype.besselI0(8 * max(0, 1 - edge * edge).squareRoot())
            }
            let sum = taps.reduce(0, +)
            table += taps.map { Float($0 / sum) }
        }
        self.table = table
    }

    /// Writes the values at positions first + shift, first + 1 + shift, … over the start of `output`.
    func read(_ raw: SampleHistory, from first: Int, count: Int, shift: Double, into output: inout [Float]) {
        let steps = Int((shift * Double(Self.fractions)).rounded())
        let whole = steps >> 6
        let fraction = steps & (Self.fractions - 1)
        let start = raw.index(of: first + whole)
        if fraction == 0 {
            for i in 0..<count { output[i] = raw.samples[start + i] }
            return
        }
        for i in 0..<count { output[i] = 0 }
        for k in 0..<Self.taps {
            let weight = table[fraction * Self.taps + k]
            let from = start + k - Self.reach + 1
            for i in 0..<count { output[i] += weight * raw.samples[from + i] }
        }
    }
}

import CKernels
import TestSupport
import Testing

@testable import DSP

@Suite("FIR kernels")
struct FIRKernelTests {
    @Test("A group equals plain sums in double, at every level, for any number of rows and places")
    func group() {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        for level in kernelLevels {
            for rows in [2, 4, 6, 30, 174] {
                for repeats in 1...9 {
                    check(Float.self, rows, repeats, level, bound: 2e-5, &noise, seed)
                    check(Double.self, rows, repeats, level, bound: 1e-13, &noise, seed)
                }
            }
        }
    }

    private func check<Scalar: FIRScalar>(
        _: Scalar.Type, _ rows: Int, _ repeats: Int, _ level: syrinx_level, bound: Double,
        _ noise: inout SeededGenerator, _ seed: UInt64
    ) {
        let (lanes, stride) = (Scalar.lanes, 13)
        let x = noise.floats((repeats - 1) * stride + rows).map { Scalar($0) }
        let coefficients = noise.floats(rows * lanes).map { Scalar($0) }
        // One more than is written, to see that nothing is written there.
        var out = [Scalar](repeating: 99, count: repeats * lanes + 1)
        Scalar.filterGroup(
            x, stride: stride, repeats: repeats, coefficients: coefficients, rows: rows, into: &out,
            level: level)
        #expect(out[repeats * lanes] == 99)
        for place in 0..<repeats {
            for lane in 0..<lanes {
                let exact = (0..<rows).reduce(0.0) { sum, row in
                    sum + Double(coefficients[row * lanes + lane]) * Double(x[place * stride + row])
                }
                #expect(
                    abs(Double(out[place * lanes + lane]) - exact) < bound,
                    "\(Scalar.self) \(levelName(level)) \(rows) rows, \(repeats) places, seed \(seed)")
            }
        }
    }

    @Test("An output does not depend on how many places were filtered with it")
    func repeats() {
        var noise = SeededGenerator(seed: 11)
        let (rows, stride) = (60, 17)
        let x = noise.floats(8 * stride + rows)
        let coefficients = noise.floats(rows * Float.lanes)
        for level in kernelLevels {
            var together = [Float](repeating: 0, count: 9 * Float.lanes)
            Float.filterGroup(
                x, stride: stride, repeats: 9, coefficients: coefficients, rows: rows, into: &together,
                level: level)
            for place in 0..<9 {
                var alone = [Float](repeating: 0, count: Float.lanes)
                Float.filterGroup(
                    Array(x[(place * stride)...]), stride: stride, repeats: 1, coefficients: coefficients,
                    rows: rows, into: &alone, level: level)
                #expect(alone == Array(together[place * Float.lanes..<(place + 1) * Float.lanes]))
            }
        }
    }

    @Test("The cubic filter equals its polynomials evaluated in double, at every level")
    func cubic() {
        var noise = SeededGenerator(seed: 12)
        for level in kernelLevels {
            for taps in [16, 32, 176] {
                let x = noise.floats(taps)
                let coefficients = noise.floats(4 * taps)
                for u: Float in [0, 0.25, 0.999] {
                    let exact = (0..<taps).reduce(0.0) { sum, tap in
                        let power = (0..<4).map { Double(coefficients[$0 * taps + tap]) }
                        let value =
                            ((power[3] * Double(u) + power[2]) * Double(u) + power[1]) * Double(u) + power[0]
                        return sum + value * Double(x[tap])
                    }
                    let single = Float.filterCubic(
                        x, coefficients: coefficients, taps: taps, u: u, level: level)
                    let double = Double.filterCubic(
                        x.map(Double.init), coefficients: coefficients.map(Double.init), taps: taps,
                        u: Double(u), level: level)
                    #expect(abs(Double(single) - exact) < 1e-5)
                    #expect(abs(double - exact) < 1e-12)
                }
            }
        }
    }
}

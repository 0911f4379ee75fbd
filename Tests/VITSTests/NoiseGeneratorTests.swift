import Foundation
import TestSupport
import Testing
import VITS

@Suite("The noise generator")
struct NoiseGeneratorTests {
    private func numbers(_ count: Int, seed: UInt64, sentence: Int = 0) -> [Float] {
        var generator = NoiseGenerator(seed: seed, sentence: sentence)
        return (0..<count).map { _ in generator.next() }
    }

    /// SplitMix64, xoshiro256** and Box–Muller written out in Python, in double precision.
    @Test("gives the published algorithms' numbers")
    func knownAnswers() {
        let expected: [(seed: UInt64, sentence: Int, values: [Float])] = [
            (0, 0, [-0.1882829053, 0.0372155255, -0.3852462198, 1.8608610152, 1.7347400888]),
            (42, 3, [0.5432363306, 0.6723536973, 0.5605560427, -0.2522505303, 0.3992108332]),
            (.max, 1_000_000, [0.5798837202, -0.2880752073, 0.0129773674, -0.8092511257]),
        ]
        for (seed, sentence, values) in expected {
            let computed = numbers(values.count, seed: seed, sentence: sentence)
            #expect(maximumDifference(computed, values) < 2e-6, "seed \(seed), sentence \(sentence)")
        }
    }

    @Test("repeats itself for the same seed and sentence, and for no other")
    func seeds() {
        let first = numbers(1000, seed: 1, sentence: 0)
        #expect(numbers(1000, seed: 1, sentence: 0).hasSameBits(as: first))
        for (seed, sentence) in [(2, 0), (1, 1), (0, 1), (0, 0), (1 << 40, 0), (1, -1)] as [(UInt64, Int)] {
            let other = numbers(1000, seed: seed, sentence: sentence)
            #expect(zip(first, other).count { $0 == $1 } < 5, "seed \(seed), sentence \(sentence)")
        }
    }

    /// Bounds are five standard errors of the estimate.
    @Test("is normal: four moments and the tails", arguments: [1, 2, 0xFFFF_FFFF_FFFF] as [UInt64])
    func moments(seed: UInt64) {
        let n = 400_000
        let x = numbers(n, seed: seed).map(Double.init)
        func mean(_ f: (Double) -> Double) -> Double { x.reduce(0) { $0 + f($1) } / Double(n) }
        let error = 5 / Double(n).squareRoot()
        #expect(abs(mean { $0 }) < error)
        #expect(abs(mean { $0 * $0 } - 1) < error * 2.0.squareRoot())
        #expect(abs(mean { $0 * $0 * $0 }) < error * 15.0.squareRoot())
        #expect(abs(mean { $0 * $0 * $0 * $0 } - 3) < error * 96.0.squareRoot())
        for limit in [0.5, 1, 2, 3] {
            let p = erfc(limit / 2.0.squareRoot())
            #expect(
                abs(mean { abs($0) > limit ? 1 : 0 } - p) < error * (p * (1 - p)).squareRoot(),
                "beyond \(limit)")
        }
        #expect(x.allSatisfy { abs($0) < 6 })
    }

    @Test("is white, and sentences and seeds are independent of each other")
    func independence() {
        let n = 100_000
        let bound = 5 / Double(n).squareRoot()
        func correlation(_ a: ArraySlice<Float>, _ b: ArraySlice<Float>) -> Double {
            zip(a, b).reduce(0) { $0 + Double($1.0) * Double($1.1) } / Double(a.count)
        }
        let x = numbers(n, seed: 7)
        for lag in [1, 2, 3, 192] {
            #expect(abs(correlation(x.dropLast(lag), x.dropFirst(lag))) < bound * 1.01, "lag \(lag)")
        }
        for (seed, sentence) in [(7, 1), (7, 2), (8, 0), (7 ^ 1 << 63, 0)] as [(UInt64, Int)] {
            let y = numbers(n, seed: seed, sentence: sentence)
            #expect(abs(correlation(x[...], y[...])) < bound, "seed \(seed), sentence \(sentence)")
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import Tensor

@Suite("Functions of every element")
struct ElementwiseTests {
    private let length = 9
    private static let channels = [1, 2, 3, 7, 8, 16, 33]

    /// Applies `change` to rows 2 ..< 7 and compares: those with `expected`, the others untouched.
    private func check(
        channels: Int, bound: Double = 1e-6, _ change: (RowWindow, Range<Int>) -> Void,
        _ expected: (_ x: Double, _ row: Int, _ column: Int) -> Double
    ) {
        var random = SeededGenerator(seed: UInt64(channels))
        let x = random.floats(length * channels, limit: 4)
        let signal = window(x, channels: channels)
        change(signal, 2..<7)
        let reference = x.indices.map { i in
            let row = i / channels
            return (2..<7).contains(row) ? expected(Double(x[i]), row, i % channels) : Double(x[i])
        }
        #expect(relativeError(contents(signal), reference) < bound, "\(channels) channels")
    }

    @Test("ReLU, GELU and tanh", arguments: channels)
    func functions(channels: Int) {
        check(channels: channels, { $0.applyReLU(rows: $1) }, { x, _, _ in max(x, 0) })
        check(
            channels: channels, { $0.applyGELU(rows: $1) },
            { x, _, _ in
                x * 0.5 * (1 + erf(x / 2.squareRoot()))
            })
        check(channels: channels, { $0.applyTanh(rows: $1) }, { x, _, _ in tanh(x) })
    }

    @Test("leaky ReLU, of one piece and of several", arguments: [(3, 9), (40, 3000)])
    func leakyReLU(channels: Int, length: Int) {
        var random = SeededGenerator(seed: 1)
        let x = random.floats(length * channels)
        for threads in 1...3 {
            let target = RowWindow(rows: length, channels: channels)
            target.setLeakyReLU(
                of: window(x, channels: channels), slope: 0.1, rows: 0..<length,
                pool: WorkerPool(threads: threads))
            #expect(relativeError(contents(target), x.map { $0 < 0 ? Double($0) * 0.1 : Double($0) }) < 1e-7)
        }
    }

    @Test("sums, copies, columns and the gate", arguments: channels)
    func combinations(channels: Int) {
        var random = SeededGenerator(seed: 2)
        let other = random.floats(length * channels)
        let row = random.floats(channels)
        let wide = random.floats(length * 2 * channels, limit: 3)
        check(
            channels: channels, { $0.add(window(other, channels: channels), rows: $1) },
            { x, t, c in
                x + Double(other[t * channels + c])
            })
        check(
            channels: channels, { $0.set(to: window(other, channels: channels), rows: $1) },
            { _, t, c in
                Double(other[t * channels + c])
            })
        check(
            channels: channels, { $0.addToEachRow(AlignedBuffer(row), rows: $1) },
            { x, _, c in
                x + Double(row[c])
            })
        check(
            channels: channels,
            { $0.setGate(of: window(wide, channels: 2 * channels), rows: $1, pool: WorkerPool(threads: 3)) },
            {
                _, t, c in
                let (a, b) = (
                    Double(wide[t * 2 * channels + c]), Double(wide[t * 2 * channels + channels + c])
                )
                return tanh(a) / (1 + exp(-b))
            })
        let half = (channels + 1) / 2
        check(
            channels: channels,
            {
                $0.addColumns(
                    of: window(wide, channels: 2 * channels), from: 1, to: channels - half, count: half,
                    rows: $1,
                    factor: -2)
            },
            { x, t, c in
                c < channels - half ? x : x - 2 * Double(wide[t * 2 * channels + 1 + c - (channels - half)])
            })
        check(
            channels: channels,
            {
                $0.divideByExp(
                    of: window(wide, channels: 2 * channels), from: channels, to: channels - half,
                    count: half,
                    rows: $1)
            },
            { x, t, c in
                c < channels - half
                    ? x : x * exp(-Double(wide[t * 2 * channels + channels + c - (channels - half)]))
            })
    }

    @Test("layer normalisation of each row", arguments: channels)
    func layerNorm(channels: Int) {
        var random = SeededGenerator(seed: 3)
        let (gain, bias) = (random.floats(channels), random.floats(channels))
        let x = random.floats(5 * channels, limit: 3)
        let signal = window(x, channels: channels)
        LayerNorm(gain: gain, bias: bias).apply(signal, rows: 1..<4)
        let expected = x.indices.map { i -> Double in
            let (t, c) = i.quotientAndRemainder(dividingBy: channels)
            guard (1..<4).contains(t) else { return Double(x[i]) }
            let row = x[t * channels..<(t + 1) * channels].map(Double.init)
            let mean = row.reduce(0, +) / Double(channels)
            let variance = row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(channels)
            return (row[c] - mean) / (variance + 1e-5).squareRoot() * Double(gain[c]) + Double(bias[c])
        }
        #expect(relativeError(contents(signal), expected) < 2e-6)
    }

    @Test("layer normalisation of a constant row gives the bias, and of a large offset no nonsense")
    func layerNormEdges() {
        let signal = window([4, 4, 4, 10_001, 10_002, 10_003], channels: 3)
        LayerNorm(gain: [1, 1, 1], bias: [0.25, 0.5, 0.75]).apply(signal, rows: 0..<2)
        let expected = [0.25, 0.5, 0.75, 0.25 - 1.2247, 0.5, 0.75 + 1.2247]
        #expect(relativeError(contents(signal), expected) < 1e-3)
    }

    @Test("no rows are no work, wherever they are")
    func noRows() {
        let signal = window([1, 2, 3], channels: 3)
        let pool = WorkerPool(threads: 1)
        signal.applyReLU(rows: 5..<5)
        signal.applyGELU(rows: -3 ..< -3)
        signal.applyTanh(rows: 9..<9)
        signal.setLeakyReLU(of: signal, slope: 0.1, rows: 7..<7, pool: pool)
        signal.add(signal, rows: 3..<3)
        signal.zero(rows: 4..<4)
        LayerNorm(gain: [1, 1, 1], bias: [0, 0, 0]).apply(signal, rows: 8..<8)
        #expect(contents(signal) == [1, 2, 3])
    }
}

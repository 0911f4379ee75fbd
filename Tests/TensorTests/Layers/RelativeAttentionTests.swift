import Foundation
import TestSupport
import Testing

@testable import Tensor

@Suite("Relative attention is its definition")
struct RelativeAttentionTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        var heads: Int
        var size: Int
        var window: Int
        var length: Int
        var isShared = true
        var testDescription: String {
            "\(heads) heads of \(size), window \(window), \(length) rows, \(isShared ? "one table" : "a table a head")"
        }
    }

    private static let shapes =
        [1, 2, 3, 4, 5, 9, 63, 64, 65, 130, 200].map { Shape(heads: 2, size: 8, window: 4, length: $0) }
        + [
            Shape(heads: 1, size: 1, window: 0, length: 5), Shape(heads: 3, size: 5, window: 2, length: 40),
            Shape(heads: 3, size: 5, window: 2, length: 40, isShared: false),
            Shape(heads: 2, size: 7, window: 10, length: 4, isShared: false),
            Shape(heads: 1, size: 3, window: 100, length: 70),
        ]

    @Test("on one thread and on three", arguments: shapes)
    func definition(shape: Shape) {
        var random = SeededGenerator(seed: 12)
        let (heads, d, w, length) = (shape.heads, shape.size, shape.window, shape.length)
        let channels = heads * d
        let x = random.floats(length * 3 * channels, limit: 2)
        let tables = (shape.isShared ? 1 : heads) * (2 * w + 1) * d
        let (key, value) = (random.floats(tables, limit: 2), random.floats(tables, limit: 2))
        var expected = [Double](repeating: 0, count: length * channels)
        func entry(_ part: Int, _ t: Int, _ h: Int, _ c: Int) -> Double {
            Double(x[t * 3 * channels + part * channels + h * d + c])
        }
        for h in 0..<heads {
            func near(_ table: [Float], _ i: Int, _ j: Int, _ c: Int) -> Double {
                guard abs(j - i) <= w else { return 0 }
                return Double(table[((shape.isShared ? 0 : h) * (2 * w + 1) + j - i + w) * d + c])
            }
            for i in 0..<length {
                let scores = (0..<length).map { j in
                    (0..<d).reduce(0.0) {
                        $0 + entry(0, i, h, $1) * (entry(1, j, h, $1) + near(key, i, j, $1))
                    }
                }
                let peak = scores.max() ?? 0
                let weights = scores.map { exp($0 - peak) }
                let sum = weights.reduce(0, +)
                for j in 0..<length {
                    for c in 0..<d {
                        expected[i * channels + h * d + c] +=
                            weights[j] / sum * (entry(2, j, h, c) + near(value, i, j, c))
                    }
                }
            }
        }
        let layer = RelativeAttention(
            heads: heads, headChannels: d, window: w, relativeKey: key, relativeValue: value)
        var results: [[Float]] = []
        for threads in [1, 3] {
            let output = RowWindow(rows: length, channels: channels)
            layer.apply(window(x, channels: 3 * channels), to: output, pool: WorkerPool(threads: threads))
            results.append(contents(output))
        }
        #expect(relativeError(results[0], expected) < 5e-6)
        #expect(results[0].hasSameBits(as: results[1]))
    }

    @Test("of no rows is nothing")
    func empty() {
        let layer = RelativeAttention(
            heads: 2, headChannels: 3, window: 1, relativeKey: [Float](repeating: 1, count: 9),
            relativeValue: [Float](repeating: 1, count: 9))
        let output = RowWindow(rows: 0, channels: 6)
        layer.apply(RowWindow(rows: 0, channels: 18), to: output, pool: WorkerPool(threads: 2))
        #expect(contents(output).isEmpty)
    }
}

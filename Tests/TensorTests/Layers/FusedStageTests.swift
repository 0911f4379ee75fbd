import CKernels
import TestSupport
import Testing

@testable import Tensor

/// Of the leaky ReLUs of all stages here.
private let slope: Float = 0.1

@Suite("A fused stage")
struct FusedStageTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        var inputs: Int
        var channels: Int
        var stride: Int
        var taps = 2
        /// The kernel of each branch, and the dilations of its convolutions.
        var branches: [(kernel: Int, dilations: [Int])]
        var isPaired = false
        var rows = 75
        var testDescription: String {
            "\(inputs) to \(channels), stride \(stride), \(branches.map { "\($0.kernel): \($0.dilations)" })"
        }
    }

    private static let shapes: [Shape] = [
        // Piper's medium voices, and their high ones.
        Shape(inputs: 32, channels: 16, stride: 8, branches: [(3, [1, 2]), (5, [2, 6]), (7, [3, 12])]),
        Shape(
            inputs: 32, channels: 32, stride: 4,
            branches: [(3, [1, 1, 3, 1, 5, 1]), (7, [1, 1, 3, 1, 5, 1]), (11, [1, 1, 3, 1, 5, 1])],
            isPaired: true),
        Shape(inputs: 16, channels: 80, stride: 2, branches: [(3, [1, 2])]),
        // Four panels of columns, and eight of the upsampler.
        Shape(inputs: 16, channels: 256, stride: 2, branches: [(3, [1, 2])], rows: 40),
        // No kernel transforms these.
        Shape(inputs: 5, channels: 3, stride: 3, taps: 3, branches: [(3, [1, 5]), (9, [2, 1])]),
        Shape(inputs: 6, channels: 7, stride: 1, taps: 3, branches: [(1, [1, 1])], isPaired: true),
        Shape(inputs: 16, channels: 16, stride: 2, branches: [(5, [1])], rows: 1),
    ]
    private static let points = 14

    private struct Layers {
        let upsample: TransposedConvolution
        let branches: [[Convolution]]

        init(_ shape: Shape, _ random: inout SeededGenerator) {
            func weights(_ count: Int, fanIn: Int) -> ArrayWeights {
                ArrayWeights(random.floats(count, limit: 1 / Float(fanIn).squareRoot()))
            }
            let kernel = shape.taps * shape.stride
            upsample = TransposedConvolution(
                weight: weights(shape.inputs * shape.channels * kernel, fanIn: shape.taps * shape.inputs),
                bias: random.floats(shape.channels), inputChannels: shape.inputs,
                outputChannels: shape.channels,
                kernel: kernel, stride: shape.stride, padding: (kernel - shape.stride) / 2)
            branches = shape.branches.map { branch in
                branch.dilations.map { dilation in
                    Convolution(
                        weight: weights(
                            shape.channels * shape.channels * branch.kernel,
                            fanIn: shape.channels * branch.kernel),
                        bias: random.floats(shape.channels), inputChannels: shape.channels,
                        outputChannels: shape.channels, kernel: branch.kernel, dilation: dilation)
                }
            }
        }

        /// The stage layer by layer in the plain form, `[T·S, C]`.
        func plain(_ x: [Float], isPaired: Bool) -> [Float] {
            let pool = WorkerPool(threads: 1)
            let y = RowWindow(channels: upsample.outputChannels)
            y.reset(length: upsample.outputLength(x.count / upsample.inputChannels), padding: 0)
            _ = upsample.apply(
                window(activated(x), channels: upsample.inputChannels, padding: upsample.padding), to: y,
                pool: pool)
            func apply(_ layer: Convolution, _ x: [Float]) -> [Float] {
                let output = RowWindow(rows: y.length, channels: y.channels)
                layer.apply(
                    window(activated(x), channels: y.channels, padding: layer.padding), rows: 0..<y.length,
                    to: output,
                    form: .plain, pool: pool)
                return contents(output)
            }
            var sum = [Float](repeating: 0, count: y.length * y.channels)
            for branch in branches {
                var x = contents(y)
                var inner = x
                for (i, layer) in branch.enumerated() {
                    inner = apply(layer, inner)
                    guard !isPaired || i % 2 == 1 else { continue }
                    x = zip(x, inner).map { $0 + $1 }
                    inner = x
                }
                sum = zip(sum, x).map { $0 + $1 }
            }
            return sum
        }

        private func activated(_ x: [Float]) -> [Float] { x.map { $0 < 0 ? slope * $0 : $0 } }
    }

    private func fused(_ layers: Layers, _ shape: Shape) -> FusedStage? {
        FusedStage(
            upsample: layers.upsample, branches: layers.branches, isPaired: shape.isPaired, slope: slope,
            points: Self.points)
    }

    /// Feeds the signal in pieces whose sizes and eagerness `next` gives, the last of them with
    /// nothing behind it, or before an empty one that ends the signal.
    private func stream(
        _ stage: FusedStage, _ x: RowWindow, endsEmpty: Bool = false, pool: WorkerPool = .alone,
        next: () -> (rows: Int, isEager: Bool)
    ) -> [Float] {
        let state = FusedStage.State(stage)
        let chunk = RowChunk(channels: stage.channels)
        var output: [Float] = []
        func take() {
            output.append(
                contentsOf: UnsafeBufferPointer(start: chunk.base, count: chunk.rows * chunk.channels))
        }
        var row = 0
        while row < x.length {
            let piece = next()
            let rows = row..<min(x.length, row + piece.rows)
            row = rows.upperBound
            stage.step(
                .init(x, rows: rows), isLast: row == x.length && !endsEmpty, isEager: piece.isEager, state: state,
                pool: pool, to: chunk)
            take()
        }
        if endsEmpty {
            stage.step(
                .init(x, rows: row..<row), isLast: true, isEager: false, state: state, pool: pool, to: chunk)
            take()
        }
        return output
    }

    @Test("is its layers one by one, and whole tiles have the same bits in any pieces", arguments: shapes)
    func equality(shape: Shape) throws {
        for seed in testSeeds(1...4) {
            var random = SeededGenerator(seed: seed)
            let layers = Layers(shape, &random)
            let stage = try #require(fused(layers, shape))
            #expect(
                stage.inputChannels == shape.inputs && stage.channels == shape.channels
                    && stage.stride == shape.stride)
            let x = random.floats(shape.rows * shape.inputs)
            let signal = window(x, channels: shape.inputs)
            let expected = layers.plain(x, isPaired: shape.isPaired).map(Double.init)
            let whole = stream(stage, signal) { (shape.rows, false) }
            #expect(relativeError(whole, expected) < 1e-4, "seed \(seed)")
            for size in [1, 2, 16, 64] {
                let pieces = stream(stage, signal) { (size, false) }
                #expect(pieces.hasSameBits(as: whole), "seed \(seed), \(size) rows at a time")
            }
            let random1 = stream(stage, signal) { (Int.random(in: 1...30, using: &random), false) }
            #expect(random1.hasSameBits(as: whole), "seed \(seed)")
            let ended = stream(stage, signal, endsEmpty: true) { (7, false) }
            #expect(ended.count == whole.count && relativeError(ended, expected) < 1e-4, "seed \(seed)")
        }
    }

    @Test("that hurries at first has the same bits however the rest is cut", arguments: shapes)
    func eager(shape: Shape) throws {
        for seed in testSeeds(1...4) {
            var random = SeededGenerator(seed: seed)
            let layers = Layers(shape, &random)
            let stage = try #require(fused(layers, shape))
            let x = random.floats(shape.rows * shape.inputs)
            let signal = window(x, channels: shape.inputs)
            let expected = layers.plain(x, isPaired: shape.isPaired).map(Double.init)
            var results: [[Float]] = []
            for size in [16, 64, 5] {
                var isFirst = true
                results.append(
                    stream(stage, signal) {
                        defer { isFirst = false }
                        return isFirst ? (23, true) : (size, false)
                    })
            }
            for result in results {
                #expect(relativeError(result, expected) < 1e-4, "seed \(seed)")
                #expect(result.hasSameBits(as: results[0]), "seed \(seed)")
            }
            let mixed = stream(stage, signal) {
                (Int.random(in: 0...20, using: &random), Bool.random(using: &random))
            }
            #expect(relativeError(mixed, expected) < 1e-4, "seed \(seed)")
        }
    }

    @Test("has the same bits on any number of threads, in a chunk or at the end of a window", arguments: shapes)
    func threads(shape: Shape) throws {
        for seed in testSeeds(1...2) {
            var random = SeededGenerator(seed: seed)
            let layers = Layers(shape, &random)
            let stage = try #require(fused(layers, shape))
            let signal = window(random.floats(shape.rows * shape.inputs), channels: shape.inputs)
            let pieces = [(13, true), (9, true), (16, false), (32, false), (1, false), (64, false)]
            func cut() -> () -> (rows: Int, isEager: Bool) {
                var index = -1
                return {
                    index += 1
                    return pieces[index % pieces.count]
                }
            }
            let alone = stream(stage, signal, next: cut())
            for threads in 2...4 {
                let pool = WorkerPool(threads: threads)
                let shared = stream(stage, signal, pool: pool, next: cut())
                #expect(shared.hasSameBits(as: alone), "seed \(seed), \(threads) threads")
            }
            // Behind rows that a reader has still to take, with some of them discarded meanwhile.
            let output = RowWindow(channels: shape.channels)
            output.reset(length: shape.rows * shape.stride, padding: 3)
            output.reserve(rows: 8)
            let state = FusedStage.State(stage)
            var (row, taken, appended) = (0, 0, [Float]())
            let next = cut()
            while row < shape.rows {
                let (count, isEager) = next()
                let rows = row..<min(shape.rows, row + count)
                row = rows.upperBound
                stage.step(
                    .init(signal, rows: rows), isLast: row == shape.rows, isEager: isEager, state: state,
                    pool: .alone, appendingTo: output)
                let new = taken..<(row == shape.rows ? output.end : max(taken, output.end - 5))
                appended += output.copy(rows: new)
                taken = new.upperBound
                output.discard(before: taken - 2)
            }
            #expect(appended.hasSameBits(as: alone), "seed \(seed), a window")
        }
    }

    @Test("gives no row back before the signal ends, or it has read what lies ahead")
    func lag() throws {
        var random = SeededGenerator(seed: 1)
        let shape = Self.shapes[0]
        let layers = Layers(shape, &random)
        let stage = try #require(fused(layers, shape))
        let x = window(random.floats(shape.rows * shape.inputs), channels: shape.inputs)
        let state = FusedStage.State(stage)
        let chunk = RowChunk(channels: stage.channels)
        // The third branch looks 3·(3 + 12) rows ahead, the upsampler half of its kernel's rest.
        var taken = 0
        repeat {
            stage.step(
                .init(x, rows: taken..<taken + 1), isLast: false, isEager: true, state: state, pool: .alone, to: chunk)
            taken += 1
        } while chunk.rows == 0
        #expect(taken == (1 + 45 + 4 + 7) / 8)
        #expect(chunk.rows == taken * 8 - 45 - 4)
        stage.step(
            .init(x, rows: taken..<taken), isLast: false, isEager: true, state: state, pool: .alone, to: chunk)
        #expect(chunk.rows == 0)
    }

    @Test("refuses the shapes that the kernel does not know")
    func refusals() {
        var random = SeededGenerator(seed: 1)
        func knows(_ shape: Shape, slope: Float = 0.1) -> Bool {
            let layers = Layers(shape, &random)
            return FusedStage.knows(
                upsample: layers.upsample, branches: layers.branches, isPaired: shape.isPaired, slope: slope,
                points: Self.points)
        }
        let good = Self.shapes[0]
        #expect(knows(good))
        for slope: Float in [-0.1, 1.1, .nan, .infinity] { #expect(!knows(good, slope: slope)) }
        var shape = good
        shape.branches = [(3, [1, 2]), (5, [2])]
        #expect(!knows(shape), "branches of different lengths")
        shape.branches = [(4, [1, 2])]
        #expect(!knows(shape), "an even kernel")
        shape.branches = Array(repeating: (3, [1]), count: 5)
        #expect(!knows(shape), "too many branches")
        shape.branches = [(3, [1, 2, 3])]
        shape.isPaired = true
        #expect(!knows(shape), "half a pair")
        shape = good
        // All branches would end a tile together after millions of rows.
        shape.branches = [(3, [1, 1021]), (5, [1, 509]), (7, [1, 337])]
        #expect(!knows(shape))
        shape.branches = [(3, Array(repeating: 1024, count: 8))]
        shape.channels = 512
        shape.inputs = 1
        shape.stride = 1
        #expect(!knows(shape), "rows without end")
    }
}

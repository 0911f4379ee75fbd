import CKernels
import Glibc
import TestSupport
import Testing

@Suite("Generator stage")
struct StageTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        let name: String
        let inputs: Int, channels: Int, stride: Int, type: Int
        let kernels: [Int]
        let dilations: [[Int]]
        let points: Int
        /// Asserted against double precision, dB.
        let ratio: Double
        var testDescription: String { name }

        func make(seed: UInt64) -> StageCase {
            StageCase(
                inputs: inputs, channels: channels, stride: stride, type: type, kernels: kernels,
                dilations: dilations, points: points, seed: seed)
        }
    }

    static let shapes = [
        Shape(
            name: "residual blocks 2, 14 points", inputs: 32, channels: 16, stride: 8, type: 2,
            kernels: [3, 5, 7], dilations: [[1, 2], [2, 6], [3, 12]], points: 14, ratio: 100),
        Shape(
            name: "residual blocks 2, 8 points", inputs: 16, channels: 32, stride: 4, type: 2,
            kernels: [3, 5, 7], dilations: [[1, 2], [2, 6], [3, 12]], points: 8, ratio: 115),
        Shape(
            name: "residual blocks 1, 14 points", inputs: 32, channels: 16, stride: 2, type: 1,
            kernels: [3, 7, 11],
            dilations: [[1, 1, 3, 1, 5, 1], [1, 1, 3, 1, 5, 1], [1, 1, 3, 1, 5, 1]], points: 14,
            ratio: 100),
        Shape(
            name: "plain paths, odd channels", inputs: 10, channels: 6, stride: 4, type: 2,
            kernels: [3, 9], dilations: [[1, 2, 4], [1, 3, 1]], points: 0, ratio: 125),
    ]

    @Test("The stage is what its definition says, in one step or in many, aligned or eager", arguments: shapes)
    func definition(shape: Shape) {
        let seed: UInt64 = 31
        let test = shape.make(seed: seed)
        var random = SeededGenerator(seed: seed)
        // The longest passes the look-ahead several times and is more than one block of the stage.
        for length in [1, 2, 7, 37, shape.type == 1 ? 420 : 130] {
            let input = random.floats(length * shape.inputs)
            let exact = test.exact(input)
            atEachLevel { level in
                let stream = StageStream(test)
                let whole = stream.run(input, steps: [length], eager: { _ in false })
                #expect(whole.count == exact.count, "\(level) length \(length)")
                guard whole.count == exact.count else { return }
                let ratio = signalToNoise(whole, exact)
                #expect(ratio >= shape.ratio, "\(level) length \(length) seed \(seed): \(ratio) dB")
                for steps in [[1], [2], [5], [16], [3, 0, 11, 1]] {
                    let aligned = stream.run(input, steps: steps, eager: { _ in false })
                    #expect(aligned == whole, "\(level) length \(length) steps \(steps)")
                    let eager = stream.run(input, steps: steps, eager: { _ in true })
                    let eagerRatio = signalToNoise(eager, exact)
                    #expect(eagerRatio >= shape.ratio, "\(level) steps \(steps): \(eagerRatio) dB")
                    let mixed = stream.run(input, steps: steps, eager: { $0 % 3 == 0 })
                    let mixedRatio = signalToNoise(mixed, exact)
                    #expect(mixedRatio >= shape.ratio, "\(level) steps \(steps): \(mixedRatio) dB")
                }
            }
        }
    }

    @Test("An eager stage holds back exactly its look-ahead", arguments: shapes)
    func lookahead(shape: Shape) {
        let test = shape.make(seed: 2)
        var random = SeededGenerator(seed: 2)
        let rows = 60
        let input = random.floats(rows * shape.inputs)
        let stream = StageStream(test)
        let given = stream.step(input[...], eager: true, last: false)
        let held = withUnsafePointer(to: test.stage) { Int(syrinx_stage_lookahead($0)) }
        #expect(given == rows * shape.stride - held)
        let rest = stream.step([], eager: true, last: true)
        #expect(given + rest == rows * shape.stride)
    }

    @Test("Two streams in turn give what each gives alone, and a restart is a fresh start")
    func interleaved() {
        let test = Self.shapes[0].make(seed: 5)
        var random = SeededGenerator(seed: 5)
        let inputs = [random.floats(50 * 32), random.floats(50 * 32)]
        atEachLevel { level in
            let alone = StageStream(test)
            let expected = inputs.map { alone.run($0, steps: [10], eager: { _ in true }) }
            let streams = [StageStream(test), StageStream(test)]
            for at in Swift.stride(from: 0, to: 50, by: 10) {
                for (stream, input) in zip(streams, inputs) {
                    stream.step(input[at * 32..<(at + 10) * 32], eager: true, last: at == 40)
                }
            }
            #expect(streams[0].output == expected[0], "\(level)")
            #expect(streams[1].output == expected[1], "\(level)")
        }
    }

    @Test("No input gives no output")
    func empty() {
        let test = Self.shapes[0].make(seed: 6)
        let stream = StageStream(test)
        #expect(stream.step([], eager: false, last: true) == 0)
    }
}

@Suite("Convolution to one channel")
struct MonoTests {
    @Test("Any channels, taps and range; tanh or not")
    func definition() {
        for (taps, inputs, length) in [(7, 32, 200), (7, 30, 70), (1, 1, 5), (3, 17, 131), (16, 64, 9)] {
            for tanh in [false, true] {
                let seed = UInt64(taps + inputs)
                var random = SeededGenerator(seed: seed)
                let signal = random.floats(length * inputs)
                let weights = random.floats(taps * inputs, limit: 0.2)
                let left = (taps - 1) / 2
                for range in [0..<length, -3..<length + 4, 2..<4, 1..<1] {
                    let exact = range.map { t in
                        var sum = 0.25
                        for k in 0..<taps where (0..<length).contains(t + k - left) {
                            for c in 0..<inputs {
                                let x = signal[(t + k - left) * inputs + c]
                                sum += Double(x > 0 ? x : x * 0.01) * Double(weights[k * inputs + c])
                            }
                        }
                        return tanh ? Glibc.tanh(sum) : sum
                    }
                    atEachLevel { level in
                        var rows = signal
                        var y = [Float](repeating: 9, count: range.count + 1)
                        weights.withUnsafeBufferPointer { weights in
                            rows.withUnsafeMutableBufferPointer { rows in
                                var mono = syrinx_mono(
                                    taps: Int32(taps), left: Int32(left), inputs: Int32(inputs),
                                    slope: 0.01, weights: weights.baseAddress, bias: 0.25, tanh: tanh)
                                var scratch = [Float](
                                    repeating: .nan, count: syrinx_mono_scratch_size(&mono))
                                let view = syrinx_view(
                                    rows: rows.baseAddress, stride: inputs, begin: 0, end: length)
                                syrinx_mono_run(
                                    &mono, view, range.lowerBound, range.upperBound, &y, &scratch)
                            }
                        }
                        #expect(y[range.count] == 9)
                        let ratio = signalToNoise(Array(y.dropLast()), exact)
                        #expect(
                            ratio >= 125 || range.isEmpty,
                            "\(level) k\(taps) C\(inputs) \(range) seed \(seed): \(ratio) dB")
                    }
                }
            }
        }
    }
}

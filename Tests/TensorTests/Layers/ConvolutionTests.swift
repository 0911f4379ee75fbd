import TestSupport
import Testing

@testable import Tensor

@Suite("Convolutions are their definition")
struct ConvolutionTests {
    private static let forms: [ConvolutionForm] = [
        .plain, .direct, .directKept, .fast(points: 6), .fast(points: 8), .fast(points: 14),
    ]

    /// The more products a tile has, the more digits its transforms cost.
    private func bound(_ form: ConvolutionForm) -> Double {
        guard case .fast(let points) = form else { return 2e-6 }
        return points <= 8 ? 1e-5 : 1e-4
    }

    /// The definition, in double: `[T, Cin]` to `[T, Cout]`.
    private func twin(
        _ x: [Float], weight: [Float], bias: [Float], inputs: Int, outputs: Int, kernel: Int, dilation: Int,
        padding: Int
    ) -> [Double] {
        let length = x.count / inputs
        var y = [Double](repeating: 0, count: length * outputs)
        for t in 0..<length {
            for o in 0..<outputs {
                var sum = bias.isEmpty ? 0 : Double(bias[o])
                for k in 0..<kernel {
                    let row = t - padding + k * dilation
                    guard row >= 0, row < length else { continue }
                    for i in 0..<inputs {
                        sum += Double(x[row * inputs + i]) * Double(weight[(o * inputs + i) * kernel + k])
                    }
                }
                y[t * outputs + o] = sum
            }
        }
        return y
    }

    struct Shape: CustomTestStringConvertible, Sendable {
        var inputs: Int
        var outputs: Int
        var kernel: Int
        var dilation = 1
        var length = 37
        var hasBias = true
        var testDescription: String {
            "\(inputs) to \(outputs), kernel \(kernel), dilation \(dilation), \(length) rows\(hasBias ? "" : ", no bias")"
        }
    }

    private static let shapes: [Shape] =
        (1...11).map { Shape(inputs: 5, outputs: 7, kernel: $0) }
        + [1, 2, 3, 5, 12].map { Shape(inputs: 13, outputs: 3, kernel: 3, dilation: $0) }
        + [1, 3, 5].map { Shape(inputs: 16, outputs: 16, kernel: 11, dilation: $0, length: 300) }
        + [
            Shape(inputs: 1, outputs: 1, kernel: 1), Shape(inputs: 1, outputs: 1, kernel: 7),
            Shape(inputs: 1, outputs: 9, kernel: 3), Shape(inputs: 9, outputs: 1, kernel: 7),
            Shape(inputs: 9, outputs: 1, kernel: 3, dilation: 2),
            Shape(inputs: 4, outputs: 1, kernel: 7, hasBias: false),
            Shape(inputs: 3, outputs: 5, kernel: 5, length: 1),
            Shape(inputs: 3, outputs: 5, kernel: 11, dilation: 7, length: 4),
            // More than one tile each way, and columns that no vector divides.
            Shape(inputs: 6, outputs: 192, kernel: 5, length: 70),
            Shape(inputs: 32, outputs: 131, kernel: 3, length: 200),
            Shape(inputs: 8, outputs: 31, kernel: 3, length: 700),
        ]

    @Test("over a whole signal, on one thread and on two", arguments: shapes)
    func whole(shape: Shape) {
        var random = SeededGenerator(seed: 7)
        let x = random.floats(shape.length * shape.inputs)
        let weight = random.floats(shape.outputs * shape.inputs * shape.kernel)
        let bias = shape.hasBias ? random.floats(shape.outputs) : []
        let layer = Convolution(
            weight: ArrayWeights(weight), bias: bias, inputChannels: shape.inputs,
            outputChannels: shape.outputs,
            kernel: shape.kernel, dilation: shape.dilation)
        let span = (shape.kernel - 1) * shape.dilation
        #expect(layer.padding == span / 2)
        let input = window(x, channels: shape.inputs, padding: span - layer.padding)
        let expected = twin(
            x, weight: weight, bias: bias, inputs: shape.inputs, outputs: shape.outputs, kernel: shape.kernel,
            dilation: shape.dilation, padding: layer.padding)
        for form in Self.forms {
            var results: [[Float]] = []
            for threads in 1...2 {
                let output = RowWindow(rows: shape.length, channels: shape.outputs)
                layer.apply(
                    input, rows: 0..<shape.length, to: output, form: form, pool: WorkerPool(threads: threads))
                results.append(contents(output))
                #expect(relativeError(results[threads - 1], expected) < bound(form), "\(form)")
            }
            #expect(results[0].hasSameBits(as: results[1]), "\(form)")
        }
    }

    @Test("adding to what is there, with a bias for the speaker, from some of the columns")
    func modes() {
        var random = SeededGenerator(seed: 8)
        let (length, inputs, outputs, kernel) = (29, 6, 5, 3)
        let wide = random.floats(length * 10)
        let weight = random.floats(outputs * inputs * kernel)
        let (bias, extra, before) = (
            random.floats(outputs), random.floats(outputs), random.floats(length * outputs)
        )
        let layer = Convolution(
            weight: ArrayWeights(weight), bias: bias, inputChannels: inputs, outputChannels: outputs,
            kernel: kernel)
        let output = window(before, channels: outputs)
        layer.apply(
            window(wide, channels: 10, padding: 1), inputColumn: 3, rows: 4..<20, to: output, mode: .add,
            extraBias: AlignedBuffer(extra), form: .plain, pool: WorkerPool(threads: 1))
        let narrow = (0..<length).flatMap { t in wide[10 * t + 3..<10 * t + 9] }
        let all = twin(
            narrow, weight: weight, bias: bias, inputs: inputs, outputs: outputs, kernel: kernel, dilation: 1,
            padding: 1)
        let expected = all.indices.map { i in
            let isWritten = (4..<20).contains(i / outputs)
            return Double(before[i]) + (isWritten ? all[i] + Double(extra[i % outputs]) : 0)
        }
        #expect(relativeError(contents(output), expected) < 2e-6)
    }

    @Test("with kernel 1, on a single vector")
    func vector() {
        var random = SeededGenerator(seed: 9)
        let (x, weight, bias) = (random.floats(12), random.floats(12 * 5), random.floats(5))
        let layer = Convolution(
            weight: ArrayWeights(weight), bias: bias, inputChannels: 12, outputChannels: 5, kernel: 1)
        let expected = twin(
            x, weight: weight, bias: bias, inputs: 12, outputs: 5, kernel: 1, dilation: 1, padding: 0)
        #expect(relativeError(layer.vector(x).array, expected) < 1e-6)
        // A second call starts from the bias again.
        #expect(relativeError(layer.vector(x).array, expected) < 1e-6)
    }

    @Test("in a stream of random steps, with history dropped", arguments: testSeeds(1...20))
    func stream(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let kernel = 2 * Int.random(in: 0...5, using: &random) + 1
        let dilation = Int.random(in: 1...6, using: &random)
        let (inputs, outputs) = (Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random))
        let length = Int.random(in: 1...80, using: &random)
        let x = random.floats(length * inputs)
        let weight = random.floats(outputs * inputs * kernel)
        let layer = Convolution(
            weight: ArrayWeights(weight), bias: [], inputChannels: inputs, outputChannels: outputs,
            kernel: kernel,
            dilation: dilation)
        let form = Self.forms.randomElement(using: &random) ?? .plain
        let pool = WorkerPool(threads: 1)
        let input = RowWindow(channels: inputs)
        input.reset(length: length, padding: layer.padding)
        let output = RowWindow(channels: outputs)
        output.reset(length: length, padding: 0)
        feed(x, into: input, random: &random) {
            let rows = output.end..<layer.producible(from: input)
            output.append(rows.count)
            layer.apply(input, rows: rows, to: output, form: form, pool: pool)
            input.discard(before: rows.upperBound - layer.padding)
        }
        #expect(output.end == length, "seed \(seed)")
        let expected = twin(
            x, weight: weight, bias: [], inputs: inputs, outputs: outputs, kernel: kernel, dilation: dilation,
            padding: layer.padding)
        #expect(relativeError(contents(output), expected) < bound(form), "seed \(seed), \(form)")
    }

    @Test("depthwise", arguments: [(1, 3, 1), (7, 3, 9), (16, 5, 2), (33, 1, 1), (5, 11, 3)])
    func depthwise(channels: Int, kernel: Int, dilation: Int) {
        var random = SeededGenerator(seed: 10)
        for length in [1, 2, 40] {
            let (x, weight) = (random.floats(length * channels), random.floats(channels * kernel))
            for bias in [random.floats(channels), []] {
                let layer = DepthwiseConvolution(
                    weight: weight, bias: bias, channels: channels, kernel: kernel, dilation: dilation)
                let output = RowWindow(rows: length, channels: channels)
                layer.apply(
                    window(x, channels: channels, padding: layer.padding), rows: 0..<length, to: output)
                let expected = (0..<length * channels).map { index in
                    let (t, c) = index.quotientAndRemainder(dividingBy: channels)
                    return (0..<kernel).reduce(bias.isEmpty ? 0 : Double(bias[c])) { sum, k in
                        let row = t - layer.padding + k * dilation
                        guard row >= 0, row < length else { return sum }
                        return sum + Double(x[row * channels + c]) * Double(weight[c * kernel + k])
                    }
                }
                #expect(relativeError(contents(output), expected) < 1e-6)
            }
        }
    }
}

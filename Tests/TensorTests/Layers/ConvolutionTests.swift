import Foundation
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

    @Test(
        "setting or adding, with a bias for the speaker, from and to some of the columns",
        arguments: [(6, 5), (16, 32), (16, 1), (16, 80)])
    func modes(inputs: Int, outputs: Int) {
        var random = SeededGenerator(seed: 8)
        let (length, kernel) = (29, 3)
        let wide = random.floats(length * (inputs + 4))
        let weight = random.floats(outputs * inputs * kernel)
        let (bias, extra) = (random.floats(outputs), random.floats(outputs))
        let layer = Convolution(
            weight: ArrayWeights(weight), bias: bias, inputChannels: inputs, outputChannels: outputs,
            kernel: kernel)
        for columns in [outputs, outputs + 3] {
            let before = random.floats(length * columns)
            // Where the output is as wide as the layer, so is the input: the shape that has a path of its own.
            let first = columns == outputs ? 0 : 3
            let width = columns == outputs ? inputs : inputs + 4
            let narrow = (0..<length).flatMap { t -> ArraySlice<Float> in
                let start = (inputs + 4) * t + first
                return wide[start..<start + inputs]
            }
            let all = twin(
                narrow, weight: weight, bias: bias, inputs: inputs, outputs: outputs, kernel: kernel,
                dilation: 1,
                padding: 1)
            for form in Self.forms {
                for mode in [Convolution.Mode.set, .add] {
                    for hasExtra in [false, true] {
                        let output = window(before, channels: columns)
                        layer.apply(
                            window(first == 0 ? narrow : wide, channels: width, padding: 1),
                            inputColumn: first,
                            rows: 4..<20, to: output, outputColumn: columns - outputs, mode: mode,
                            extraBias: hasExtra ? AlignedBuffer(extra) : nil, form: form,
                            pool: WorkerPool(threads: 2))
                        let expected = before.indices.map { i -> Double in
                            let (t, c) = i.quotientAndRemainder(dividingBy: columns)
                            let o = c - (columns - outputs)
                            guard (4..<20).contains(t), o >= 0 else { return Double(before[i]) }
                            let base: Double = mode == .add ? Double(before[i]) : 0
                            let speaker: Double = hasExtra ? Double(extra[o]) : 0
                            return all[t * outputs + o] + base + speaker
                        }
                        #expect(
                            relativeError(contents(output), expected) < bound(form),
                            "\(form), \(mode), \(columns) columns, speaker \(hasExtra)")
                    }
                }
            }
        }
    }

    @Test("direct, has the same bits whether its weights are kept or not", arguments: shapes)
    func kept(shape: Shape) {
        var random = SeededGenerator(seed: 12)
        let x = random.floats(shape.length * shape.inputs)
        let span = (shape.kernel - 1) * shape.dilation
        // Weights that nothing is multiplied into are read as they are stored.
        for (reverses, isScaled) in [(false, false), (true, false), (false, true), (true, true)] {
            let layer = Convolution(
                weight: ArrayWeights(random.floats(shape.outputs * shape.inputs * shape.kernel)),
                bias: shape.hasBias ? random.floats(shape.outputs) : [], inputChannels: shape.inputs,
                outputChannels: shape.outputs, kernel: shape.kernel, dilation: shape.dilation,
                layout: .init(
                    inputScale: isScaled ? 0.3 : 1, resultScale: isScaled ? 1.7 : 1, reversesInputs: reverses,
                    reversesOutputs: reverses))
            let input = window(x, channels: shape.inputs, padding: span - layer.padding)
            var results: [[Float]] = []
            for form in [ConvolutionForm.direct, .directKept, .directKept, .direct] {
                for threads in 1...3 {
                    let output = RowWindow(rows: shape.length, channels: shape.outputs)
                    layer.apply(
                        input, rows: 0..<shape.length, to: output, form: form,
                        pool: WorkerPool(threads: threads))
                    results.append(contents(output))
                }
            }
            for result in results { #expect(result.hasSameBits(as: results[0])) }
        }
    }

    @Test(
        "down to one channel, between a leaky ReLU and tanh", arguments: [(1, 1), (16, 7), (33, 5), (8, 4)])
    func oneChannel(inputs: Int, kernel: Int) {
        var random = SeededGenerator(seed: 13)
        let length = 900
        let x = random.floats(length * inputs)
        let weight = random.floats(inputs * kernel, limit: 0.3)
        for bias in [random.floats(1), []] {
            let layer = Convolution(
                weight: ArrayWeights(weight), bias: bias, inputChannels: inputs, outputChannels: 1,
                kernel: kernel)
            let activated = x.map { $0 < 0 ? Float(0.2) * $0 : $0 }
            let expected = twin(
                activated, weight: weight, bias: bias, inputs: inputs, outputs: 1, kernel: kernel,
                dilation: 1,
                padding: layer.padding
            ).map { tanh($0) }
            let input = window(x, channels: inputs, padding: kernel - 1 - layer.padding)
            let output = RowWindow(rows: length, channels: 1)
            for rows in [0..<1, 1..<70, 70..<70, 70..<length] {
                layer.applyToOneChannel(
                    leakyReLUOf: input, slope: 0.2, rows: rows, tanhTo: output, pool: WorkerPool(threads: 3))
            }
            #expect(relativeError(contents(output), expected) < 2e-6)
        }
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

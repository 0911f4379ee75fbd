import TestSupport
import Testing

@testable import Tensor

@Suite("Transposed convolutions are their definition")
struct TransposedConvolutionTests {
    struct Shape: CustomTestStringConvertible, Sendable {
        var inputs = 6
        var outputs = 5
        var kernel: Int
        var stride: Int
        var cut: Int
        var length = 23
        var testDescription: String {
            "\(inputs) to \(outputs), kernel \(kernel), stride \(stride), cut \(cut), \(length) rows"
        }
    }

    private static let shapes = [
        // HiFi-GAN's: kernel twice the stride, or not.
        Shape(kernel: 16, stride: 8, cut: 4), Shape(kernel: 8, stride: 4, cut: 2),
        Shape(kernel: 4, stride: 2, cut: 1),
        Shape(kernel: 11, stride: 5, cut: 3), Shape(kernel: 7, stride: 3, cut: 2),
        Shape(kernel: 16, stride: 4, cut: 6),
        Shape(kernel: 3, stride: 3, cut: 0), Shape(kernel: 1, stride: 1, cut: 0),
        Shape(kernel: 5, stride: 1, cut: 2),
        // A length that is no multiple of the stride.
        Shape(kernel: 9, stride: 4, cut: 1), Shape(kernel: 10, stride: 3, cut: 5),
        Shape(inputs: 1, outputs: 1, kernel: 4, stride: 2, cut: 1),
        Shape(inputs: 3, outputs: 17, kernel: 16, stride: 8, cut: 4, length: 1),
        Shape(inputs: 2, outputs: 3, kernel: 8, stride: 4, cut: 4, length: 2),
        Shape(inputs: 16, outputs: 32, kernel: 16, stride: 8, cut: 4, length: 300),
    ]

    private func twin(_ x: [Float], weight: [Float], bias: [Float], _ shape: Shape) -> [Double] {
        let full = (shape.length - 1) * shape.stride + shape.kernel
        var y = [Double](repeating: 0, count: full * shape.outputs)
        for t in 0..<shape.length {
            for k in 0..<shape.kernel {
                for o in 0..<shape.outputs {
                    for i in 0..<shape.inputs {
                        y[(t * shape.stride + k) * shape.outputs + o] +=
                            Double(x[t * shape.inputs + i])
                            * Double(weight[(i * shape.outputs + o) * shape.kernel + k])
                    }
                }
            }
        }
        let kept = y[shape.cut * shape.outputs..<(full - shape.cut) * shape.outputs]
        return kept.enumerated().map { $1 + (bias.isEmpty ? 0 : Double(bias[$0 % shape.outputs])) }
    }

    @Test("over a whole signal, in steps of one row, and in random steps", arguments: shapes)
    func equality(shape: Shape) {
        var random = SeededGenerator(seed: 11)
        let x = random.floats(shape.length * shape.inputs)
        let weight = random.floats(shape.inputs * shape.outputs * shape.kernel)
        for bias in [random.floats(shape.outputs), []] {
            let layer = TransposedConvolution(
                weight: ArrayWeights(weight), bias: bias, inputChannels: shape.inputs,
                outputChannels: shape.outputs,
                kernel: shape.kernel, stride: shape.stride, padding: shape.cut)
            let expected = twin(x, weight: weight, bias: bias, shape)
            #expect(layer.outputLength(shape.length) * shape.outputs == expected.count)
            for threads in 1...2 {
                let pool = WorkerPool(threads: threads)
                let output = RowWindow(channels: shape.outputs)
                output.reset(length: layer.outputLength(shape.length), padding: 0)
                let rows = layer.apply(
                    window(x, channels: shape.inputs, padding: layer.padding), to: output, pool: pool)
                #expect(rows == 0..<output.length)
                #expect(relativeError(contents(output), expected) < 2e-6)
            }
            let input = RowWindow(channels: shape.inputs)
            input.reset(length: shape.length, padding: layer.padding)
            let output = RowWindow(channels: shape.outputs)
            output.reset(length: layer.outputLength(shape.length), padding: 0)
            let pool = WorkerPool(threads: 1)
            feed(x, into: input, random: &random) {
                let rows = layer.apply(input, to: output, pool: pool)
                #expect(output.end == layer.producible(from: input) && rows.upperBound == output.end)
                input.discard(before: (output.end + layer.cut) / layer.stride - layer.padding)
            }
            #expect(relativeError(contents(output), expected) < 2e-6)
        }
    }
}

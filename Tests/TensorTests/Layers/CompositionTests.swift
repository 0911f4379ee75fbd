import TestSupport
import Testing

@testable import Tensor

@Suite("Layers made of others")
struct CompositionTests {
    private static let forms: [ConvolutionForm] = [.plain, .direct, .directKept, .fast(points: 10)]

    private func values(_ count: Int, _ random: inout SeededGenerator) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) }
    }

    private func apply(
        _ layer: Convolution, to x: [Float], residual: [Float]? = nil, form: ConvolutionForm, threads: Int = 1
    ) -> [Float] {
        let input = window(x, channels: layer.inputChannels, padding: layer.padding)
        let output = RowWindow(rows: input.length, channels: layer.outputChannels)
        layer.apply(
            input, rows: 0..<input.length, to: output,
            residual: residual.map { window($0, channels: layer.outputChannels) }, form: form,
            pool: WorkerPool(threads: threads))
        return contents(output)
    }

    @Test("some of the output channels are those of the whole layer, bit for bit", arguments: forms)
    func someOutputs(form: ConvolutionForm) {
        var random = SeededGenerator(seed: 11)
        let (inputs, outputs, rows) = (16, 192, 50)
        let layer = Convolution(
            weight: ArrayWeights(values(outputs * inputs * 3, &random)), bias: values(outputs, &random),
            inputChannels: inputs, outputChannels: outputs, kernel: 3, dilation: 2)
        let x = values(rows * inputs, &random)
        let whole = apply(layer, to: x, form: form)
        for range in [0..<64, 64..<192, 128..<144] {
            let part = apply(layer.outputs(range), to: x, form: form)
            for t in 0..<rows {
                let expected = whole[t * outputs + range.lowerBound..<t * outputs + range.upperBound]
                let actual = part[t * range.count..<(t + 1) * range.count]
                // OpenBLAS sums in an order that depends on the columns.
                for (a, b) in zip(actual, expected) { #expect(form == .plain ? abs(a - b) < 1e-5 : a == b) }
            }
        }
    }

    /// 50 rows: few enough for weights as they are stored.
    @Test(
        "two layers of kernel 1 as one are the two in double precision", arguments: forms,
        [(301, false), (301, true), (50, false), (50, true)])
    func product(form: ConvolutionForm, shape: (rows: Int, isReversed: Bool)) {
        var random = SeededGenerator(seed: 12)
        let (inputs, between, outputs) = (48, 32, 80)
        let (rows, isReversed) = shape
        let (a, b) = (values(between * inputs, &random), values(outputs * between, &random))
        let (biasA, biasB) = (values(between, &random), values(outputs, &random))
        let x = values(rows * inputs, &random)
        func layer(_ weight: [Float], _ bias: [Float], _ inputs: Int, _ outputs: Int) -> Convolution {
            Convolution(
                weight: ArrayWeights(weight), bias: bias, inputChannels: inputs, outputChannels: outputs,
                kernel: 1)
        }
        for addsBias in [true, false] {
            let both = layer(a, biasA, inputs, between).followed(
                by: layer(b, biasB, between, outputs), addsBias: addsBias,
                layout: .init(reversesOutputs: isReversed))
            var expected: [Double] = []
            for t in 0..<rows {
                let middle = (0..<between).map { m in
                    (0..<inputs).reduce(Double(biasA[m])) {
                        $0 + Double(x[t * inputs + $1]) * Double(a[m * inputs + $1])
                    }
                }
                let row = (0..<outputs).map { o in
                    (0..<between).reduce(addsBias ? Double(biasB[o]) : 0) {
                        $0 + middle[$1] * Double(b[o * between + $1])
                    }
                }
                expected += isReversed ? row.reversed() : row
            }
            #expect(relativeError(apply(both, to: x, form: form), expected) <= 2e-6)
            // Made again after its pages were given back.
            #expect(relativeError(apply(both, to: x, form: .direct, threads: 2), expected) <= 2e-6)
        }
    }

    @Test("a product of weights is whole while other threads use it up and release it")
    func release() async {
        var random = SeededGenerator(seed: 14)
        let size = 64
        let product = WeightProduct(
            ArrayWeights(values(size * size, &random)), by: ArrayWeights(values(size * size, &random)),
            rows: size, depth: size, columns: size)
        func copied() -> [Float] {
            [Float](unsafeUninitializedCapacity: size * size) { buffer, count in
                if let base = buffer.baseAddress { product.copy(0..<size * size, to: base) }
                count = size * size
            }
        }
        let expected = copied()
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    (0..<300).allSatisfy { _ in
                        if task == 0 { product.release() }
                        return copied() == expected
                    }
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }

    @Test("a residual is added to the result", arguments: forms)
    func residual(form: ConvolutionForm) {
        var random = SeededGenerator(seed: 13)
        let (channels, rows) = (32, 77)
        let layer = Convolution(
            weight: ArrayWeights(values(channels * channels, &random)), bias: values(channels, &random),
            inputChannels: channels, outputChannels: channels, kernel: 1)
        let (x, added) = (values(rows * channels, &random), values(rows * channels, &random))
        let bare = apply(layer, to: x, form: form)
        let expected = zip(bare, added).map { Double($0) + Double($1) }
        #expect(relativeError(apply(layer, to: x, residual: added, form: form), expected) <= 1e-6)
    }
}

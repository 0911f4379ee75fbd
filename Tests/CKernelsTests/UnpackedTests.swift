import CKernels
import TestSupport
import Testing

@Suite("Convolution out of weights as they are stored")
struct UnpackedTests {
    /// A case's rows `range` out of its unpacked weights, in calls of `step` columns.
    private func run(
        _ test: ConvolutionCase, input: [Float], range: Range<Int>, output: [Float], gap: Int,
        accumulate: Bool,
        bias: [Float]?, step: Int
    ) -> [Float] {
        var input = input
        var output = output
        let inputs = Int(test.conv.inputs)
        let width = Int(test.conv.columns)
        // One byte aside, as in a mapped file.
        var stored = [UInt8](repeating: 0, count: test.weights.count * 4 + 1)
        test.weights.withUnsafeBytes { weights in
            stored.withUnsafeMutableBytes {
                $0.baseAddress?.advanced(by: 1).copyMemory(
                    from: weights.baseAddress!, byteCount: weights.count)
            }
        }
        withUnsafePointer(to: test.conv) { conv in
            // NaN: what was not written must not be read.
            var transposed = [Float](repeating: .nan, count: syrinx_unpacked_inputs_size(conv, range.count))
            var scratch = [Float](repeating: .nan, count: syrinx_unpacked_scratch_size())
            input.withUnsafeMutableBufferPointer { input in
                let view = syrinx_view(
                    rows: input.baseAddress, stride: inputs, begin: 0, end: input.count / inputs)
                let half = Int32(inputs / 2)
                syrinx_unpacked_inputs(conv, view, range.lowerBound, range.upperBound, 0, half, &transposed)
                syrinx_unpacked_inputs(
                    conv, view, range.lowerBound, range.upperBound, half, Int32(inputs), &transposed)
            }
            for first in stride(from: 0, to: width, by: step) {
                output.withUnsafeMutableBufferPointer { output in
                    transposed.withUnsafeBufferPointer { transposed in
                        stored.withUnsafeBytes { stored in
                            (bias ?? []).withUnsafeBufferPointer { values in
                                scratch.withUnsafeMutableBufferPointer { scratch in
                                    var call = syrinx_unpacked_call()
                                    call.conv = conv
                                    call.inputs = transposed.baseAddress
                                    call.weights = UnsafeRawPointer(stored.baseAddress! + 1)
                                        .assumingMemoryBound(to: Float.self)
                                    call.strides = syrinx_conv_strides(conv)
                                    call.bias = bias == nil ? nil : values.baseAddress
                                    call.output = syrinx_view(
                                        rows: output.baseAddress, stride: width + gap,
                                        begin: range.lowerBound,
                                        end: range.upperBound)
                                    call.accumulate = accumulate
                                    call.first_column = Int32(first)
                                    call.end_column = Int32(min(first + step, width))
                                    call.scratch = scratch.baseAddress
                                    syrinx_unpacked_run(&call)
                                }
                            }
                        }
                    }
                }
            }
        }
        return output
    }

    @Test(
        "It has the bits of the packed path at each level",
        arguments: [
            (taps: 1, dilation: 1, inputs: 1, columns: 1), (1, 1, 16, 29), (3, 1, 32, 64), (5, 1, 48, 96),
            (5, 3, 20, 17), (7, 2, 33, 40), (2, 1, 7, 16),
        ])
    func bits(taps: Int, dilation: Int, inputs: Int, columns: Int) {
        let seed = UInt64(1000 * taps + columns)
        var random = SeededGenerator(seed: seed)
        let test = ConvolutionCase(
            taps: taps, dilation: dilation, inputs: inputs, columns: columns, tile: 0, random: &random)
        let length = 170
        let input = random.floats(length * inputs)
        let gap = 3
        for range in [0..<length, 5..<6, -3..<14, 40..<73, 100..<164, 60..<60, 90..<length + 7, 0..<81] {
            let before = random.floats(range.count * (columns + gap))
            for accumulate in [false, true] {
                atEachLevel { level in
                    var signal = input
                    var packed = before
                    test.run(
                        packed: test.packed(), input: &signal, inputBegin: 0, output: &packed, range: range,
                        gap: gap,
                        accumulate: accumulate)
                    for step in [16, columns] {
                        let unpacked = run(
                            test, input: input, range: range, output: before, gap: gap,
                            accumulate: accumulate,
                            bias: test.bias, step: step)
                        #expect(
                            unpacked.elementsEqual(packed) { $0.bitPattern == $1.bitPattern },
                            "\(level) rows \(range), accumulate \(accumulate), seed \(seed)")
                    }
                }
            }
        }
    }

    @Test("Without a bias it is as with one of zeros")
    func noBias() {
        var random = SeededGenerator(seed: 3)
        let test = ConvolutionCase(taps: 3, inputs: 16, columns: 20, tile: 0, random: &random)
        let input = random.floats(40 * 16)
        let before = random.floats(40 * 20)
        atEachLevel { level in
            let results = [nil, [Float](repeating: 0, count: 20)].map { bias in
                run(
                    test, input: input, range: 0..<40, output: before, gap: 0, accumulate: true, bias: bias,
                    step: 20)
            }
            #expect(results[0] == results[1], "\(level)")
            #expect(results[0] != before)
        }
    }
}

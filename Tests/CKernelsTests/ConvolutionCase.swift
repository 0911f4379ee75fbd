import CKernels
import TestSupport

/// A convolution with weights, in double precision beside its kernels: the oracle of the tests.
struct ConvolutionCase {
    var conv: syrinx_conv
    var slope: Float = 1
    let weights: [Float]  // [columns, inputs, taps], as in ONNX
    let bias: [Float]

    init(
        taps: Int, dilation: Int = 1, inputs: Int, columns: Int, tile: Int, slope: Float = 1,
        random: inout SeededGenerator
    ) {
        conv = syrinx_conv(
            taps: Int32(taps), dilation: Int32(dilation), left: Int32((taps - 1) / 2),
            inputs: Int32(inputs), columns: Int32(columns), tile: Int32(tile))
        self.slope = slope
        let scale = 1 / Float(taps * inputs).squareRoot()
        weights = random.floats(columns * inputs * taps, limit: scale)
        bias = random.floats(columns)
    }

    /// Output row `t` in double precision, `input(t, channel)` being zero out of its range.
    func exactRow(_ t: Int, _ input: (Int, Int) -> Float) -> [Double] {
        let inputs = Int(conv.inputs)
        let taps = Int(conv.taps)
        var row = bias.map { Double($0) }
        for k in 0..<taps {
            let time = t + (k - Int(conv.left)) * Int(conv.dilation)
            for i in 0..<inputs {
                let x = input(time, i)
                let activated = Double(x > 0 ? x : x * slope)
                if activated == 0 { continue }
                for j in row.indices {
                    row[j] += activated * Double(weights[(j * inputs + i) * taps + k])
                }
            }
        }
        return row
    }

    func packed() -> [Float] {
        withUnsafePointer(to: conv) { conv in
            var packed = [Float](repeating: .nan, count: syrinx_conv_weights_size(conv))
            syrinx_conv_pack(conv, weights, syrinx_conv_strides(conv), 1, bias, &packed)
            return packed
        }
    }

    /// Runs rows `range` of the output into `output` [range, columns + gap].
    func run(
        packed: [Float], input: inout [Float], inputBegin: Int, output: inout [Float],
        range: Range<Int>, gap: Int = 0, residual: [Float]? = nil, accumulate: Bool = false,
        columns: Range<Int>? = nil, part: Int = 0, parts: Int = 0
    ) {
        let inputs = Int(conv.inputs)
        let width = Int(conv.columns)
        let inputEnd = inputBegin + input.count / inputs
        withUnsafePointer(to: conv) { conv in
            // NaN in the scratch: what was not written must not be read.
            var scratch = [Float](repeating: .nan, count: syrinx_conv_scratch_size(conv))
            input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    scratch.withUnsafeMutableBufferPointer { scratch in
                        packed.withUnsafeBufferPointer { packed in
                            var other = residual ?? [0]
                            other.withUnsafeMutableBufferPointer { other in
                                let view = syrinx_view(
                                    rows: other.baseAddress, stride: width, begin: range.lowerBound,
                                    end: range.upperBound)
                                withUnsafePointer(to: view) { view in
                                    var call = syrinx_conv_call(
                                        conv: conv, packed: packed.baseAddress, slope: slope,
                                        input: syrinx_view(
                                            rows: input.baseAddress, stride: inputs,
                                            begin: inputBegin, end: inputEnd),
                                        output: syrinx_view(
                                            rows: output.baseAddress, stride: width + gap,
                                            begin: range.lowerBound, end: range.upperBound),
                                        residual: residual == nil ? nil : view,
                                        accumulate: accumulate,
                                        first_column: Int32(columns?.lowerBound ?? 0),
                                        end_column: Int32(columns?.upperBound ?? width),
                                        part: Int32(part), parts: Int32(parts),
                                        scratch: scratch.baseAddress)
                                    syrinx_conv_run(&call)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

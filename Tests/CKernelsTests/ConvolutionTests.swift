import CKernels
import TestSupport
import Testing

@Suite("Convolution over time")
struct ConvolutionTests {
    /// The stated signal-to-noise ratio in dB of the fast path with this many points.
    static let stated = [0: 130.0, 4: 125, 6: 125, 8: 120, 10: 115, 12: 110, 14: 100]

    static let tiles: [(taps: Int, tile: Int)] = {
        var found: [(Int, Int)] = []
        for taps in [2, 3, 5, 7, 11] {
            for points in [4, 6, 8, 10, 12, 14] {
                let tile = Int(syrinx_conv_tile(Int32(taps), 16, 16, Int32(points)))
                if tile > 0, !found.contains(where: { $0 == (taps, tile) }) {
                    found.append((taps, tile))
                }
            }
        }
        return found
    }()

    @Test("There is a fast tile for every kernel of the published voices, and none for odd shapes")
    func tileChoice() {
        #expect(syrinx_conv_tile(2, 256, 1024, 6) == 5)
        #expect(syrinx_conv_tile(3, 32, 32, 10) == 8)
        #expect(syrinx_conv_tile(5, 192, 384, 12) == 8)
        #expect(syrinx_conv_tile(7, 32, 32, 14) == 8)
        #expect(syrinx_conv_tile(11, 256, 256, 14) == 4)
        #expect(syrinx_conv_tile(3, 32, 32, 3) == 0, "too few points")
        #expect(syrinx_conv_tile(9, 32, 32, 14) == 0, "no such kernel")
        #expect(syrinx_conv_tile(3, 30, 32, 14) == 0, "inputs no multiple of 16")
        #expect(syrinx_conv_tile(3, 32, 40, 14) == 0, "columns no multiple of 16")
    }

    /// A whole run over rows `range` of a signal of `length` rows from `begin` on, against the
    /// oracle on every `step`-th row.
    func ratio(
        _ test: ConvolutionCase, length: Int, begin: Int = 0, range: Range<Int>,
        residual: Bool = false, accumulate: Bool = false, step: Int = 1, seed: UInt64
    ) -> Double {
        var random = SeededGenerator(seed: seed)
        let inputs = Int(test.conv.inputs)
        let columns = Int(test.conv.columns)
        let gap = 5
        var input = random.floats(length * inputs)
        let signal = input
        let residualRows = random.floats(range.count * columns)
        let before = random.floats(range.count * (columns + gap))
        var output = before
        test.run(
            packed: test.packed(), input: &input, inputBegin: begin, output: &output, range: range,
            gap: gap, residual: residual ? residualRows : nil, accumulate: accumulate)
        var values: [Float] = []
        var exact: [Double] = []
        for t in stride(from: range.lowerBound, to: range.upperBound, by: step) {
            let row = test.exactRow(t) { time, channel in
                time >= begin && time < begin + length
                    ? signal[(time - begin) * inputs + channel] : 0
            }
            let r = t - range.lowerBound
            for j in 0..<columns {
                var truth = row[j]
                if residual { truth += Double(residualRows[r * columns + j]) }
                if accumulate { truth += Double(before[r * (columns + gap) + j]) }
                exact.append(truth)
                values.append(output[r * (columns + gap) + j])
            }
            for j in columns..<columns + gap {
                let index = r * (columns + gap) + j
                if output[index] != before[index] { return -.infinity }
            }
        }
        return signalToNoise(values, exact)
    }

    @Test("Each tile of each kernel keeps its stated signal-to-noise ratio", arguments: tiles)
    func everyTile(taps: Int, tile: Int) throws {
        let points = taps + tile - 1
        let stated = try #require(Self.stated[points])
        let seed = UInt64(taps * 100 + tile)
        var random = SeededGenerator(seed: seed)
        for (inputs, columns, dilation) in [(16, 16, 1), (32, 48, 3), (48, 80, 2), (64, 144, 1)] {
            let test = ConvolutionCase(
                taps: taps, dilation: dilation, inputs: inputs, columns: columns, tile: tile,
                slope: 0.1, random: &random)
            atEachLevel { level in
                let ratio = ratio(test, length: 150, range: 0..<150, step: 3, seed: seed)
                #expect(
                    ratio >= stated,
                    "\(level) F(\(tile), \(taps)) \(inputs) -> \(columns) seed \(seed): \(ratio) dB")
            }
        }
    }

    /// Of 256 inputs 24 tiles are a batch, of 64 inputs 96; a quarter more go at once where no more are left.
    @Test(
        "Any number of tiles is right: whole batches, a rest that goes with its batch, one that does not",
        arguments: [24, 25, 30, 31, 48, 54, 55, 96, 97, 120, 121, 217])
    func batches(tiles: Int) {
        for (inputs, columns) in [(256, 144), (64, 64), (64, 80)] where inputs == 64 || tiles < 60 {
            let seed = UInt64(tiles)
            var random = SeededGenerator(seed: seed)
            let test = ConvolutionCase(
                taps: 7, dilation: 1, inputs: inputs, columns: columns, tile: 8, slope: 0.1, random: &random)
            atEachLevel { level in
                let ratio = ratio(test, length: tiles * 8, range: 0..<tiles * 8, step: 29, seed: seed)
                #expect(ratio >= 90, "\(level) \(inputs) -> \(columns): \(ratio) dB")
            }
        }
    }

    @Test("Any range of rows, residual and sum are right on both paths")
    func ranges() {
        for (tile, dilation, length) in [(8, 1, 40), (8, 12, 130), (0, 12, 130), (4, 5, 60), (0, 1, 15)] {
            for range in [0..<length, 3..<4, -2..<length + 5, 7..<7, 11..<length - 1] {
                for (residual, accumulate) in [(false, false), (true, false), (false, true), (true, true)] {
                    let seed = UInt64(tile + dilation + length)
                    var random = SeededGenerator(seed: seed)
                    let test = ConvolutionCase(
                        taps: 7, dilation: dilation, inputs: 32, columns: 32, tile: tile, slope: 0.1,
                        random: &random)
                    atEachLevel { level in
                        let ratio = ratio(
                            test, length: length, range: range, residual: residual,
                            accumulate: accumulate, seed: seed)
                        #expect(
                            ratio >= (tile == 8 ? 95 : 105) || range.isEmpty,
                            "\(level) tile \(tile) dilation \(dilation) \(range): \(ratio) dB")
                    }
                }
            }
        }
    }

    @Test("Time may start anywhere, below zero too")
    func absoluteTime() {
        for begin in [-1000, -7, 5, 123_456] {
            var random = SeededGenerator(seed: 8)
            let test = ConvolutionCase(
                taps: 3, dilation: 2, inputs: 16, columns: 32, tile: 6, random: &random)
            atEachLevel { level in
                let ratio = ratio(test, length: 50, begin: begin, range: begin..<begin + 50, seed: 8)
                #expect(ratio >= 120, "\(level) begin \(begin): \(ratio) dB")
            }
        }
    }

    @Test("The plain path serves any kernel and any number of channels")
    func plainShapes() {
        for (taps, inputs, columns, dilation) in [
            (1, 7, 3, 1), (4, 30, 17, 1), (9, 5, 70, 3), (16, 20, 1, 1), (7, 32, 1, 1), (3, 1, 16, 2),
        ] {
            for slope: Float in [1, 0.1] {
                let seed = UInt64(taps)
                var random = SeededGenerator(seed: seed)
                let test = ConvolutionCase(
                    taps: taps, dilation: dilation, inputs: inputs, columns: columns, tile: 0,
                    slope: slope, random: &random)
                atEachLevel { level in
                    let ratio = ratio(test, length: 101, range: 0..<101, residual: true, seed: seed)
                    #expect(ratio >= 130, "\(level) k\(taps) \(inputs) -> \(columns): \(ratio) dB")
                }
            }
        }
    }

    @Test("Split by time on the grid, by column panels or into parts, the bits are those of one run")
    func splits() {
        for tile in [8, 0] {
            var random = SeededGenerator(seed: 21)
            let test = ConvolutionCase(
                taps: 5, dilation: 3, inputs: 32, columns: 144, tile: tile, slope: 0.1,
                random: &random)
            let packed = test.packed()
            let length = 24 * 6
            var input = random.floats(length * 32)
            atEachLevel { level in
                var whole = [Float](repeating: 0, count: length * 144)
                test.run(packed: packed, input: &input, inputBegin: 0, output: &whole, range: 0..<length)
                var byTime: [Float] = []
                for range in [0..<24, 24..<72, 72..<length] {
                    var part = [Float](repeating: 0, count: range.count * 144)
                    test.run(packed: packed, input: &input, inputBegin: 0, output: &part, range: range)
                    byTime += part
                }
                #expect(whole == byTime, "\(level) tile \(tile)")
                var byColumns = [Float](repeating: 0, count: length * 144)
                for columns in [64..<128, 0..<64, 128..<144] {
                    test.run(
                        packed: packed, input: &input, inputBegin: 0, output: &byColumns,
                        range: 0..<length, columns: columns)
                }
                #expect(whole == byColumns, "\(level) tile \(tile)")
                for parts in [2, 3, 7, 100] {
                    var inParts = [Float](repeating: 0, count: length * 144)
                    for part in (0..<parts).reversed() {
                        test.run(
                            packed: packed, input: &input, inputBegin: 0, output: &inParts, range: 0..<length,
                            part: part, parts: parts)
                    }
                    #expect(whole == inParts, "\(level) tile \(tile), \(parts) parts")
                }
            }
        }
    }

    @Test(
        "A transposed convolution equals its definition",
        arguments: [(16, 8, 6), (8, 4, 6), (4, 2, 6), (16, 8, 0), (9, 3, 6), (5, 5, 0), (16, 8, 8)])
    func transposed(kernel: Int, stride: Int, points: Int) {
        let (inputs, outputs, length) = (32, 16, 23)
        let padding = (kernel - stride) / 2
        let seed = UInt64(kernel)
        var random = SeededGenerator(seed: seed)
        var input = random.floats(length * inputs)
        let weights = random.floats(inputs * outputs * kernel)
        let bias = random.floats(outputs)
        var exact = [Double](repeating: 0, count: (length * stride) * outputs)
        for o in 0..<length * stride {
            for c in 0..<outputs { exact[o * outputs + c] = Double(bias[c]) }
            for i in 0..<length where (0..<kernel).contains(o + padding - i * stride) {
                let tap = o + padding - i * stride
                for channel in 0..<inputs {
                    for c in 0..<outputs {
                        exact[o * outputs + c] +=
                            Double(input[i * inputs + channel])
                            * Double(weights[(channel * outputs + c) * kernel + tap])
                    }
                }
            }
        }
        var conv = syrinx_transposed_conv(
            Int32(kernel), Int32(stride), Int32(inputs), Int32(outputs), Int32(points))
        var packed = [Float](repeating: 0, count: syrinx_conv_weights_size(&conv))
        syrinx_conv_pack(
            &conv, weights,
            syrinx_transposed_conv_strides(Int32(kernel), Int32(stride), Int32(inputs), Int32(outputs)),
            1, bias, &packed)
        let columns = stride * outputs
        let rows = length + Int(conv.taps) - 1
        var scratch = [Float](repeating: .nan, count: syrinx_conv_scratch_size(&conv))
        atEachLevel { level in
            var output = [Float](repeating: 0, count: rows * columns)
            withUnsafePointer(to: conv) { conv in
                input.withUnsafeMutableBufferPointer { input in
                    output.withUnsafeMutableBufferPointer { output in
                        scratch.withUnsafeMutableBufferPointer { scratch in
                            packed.withUnsafeBufferPointer { packed in
                                var call = syrinx_conv_call(
                                    conv: conv, packed: packed.baseAddress, slope: 1,
                                    input: syrinx_view(
                                        rows: input.baseAddress, stride: inputs, begin: 0, end: length),
                                    output: syrinx_view(
                                        rows: output.baseAddress, stride: columns, begin: 0, end: rows),
                                    residual: nil, accumulate: false, first_column: 0,
                                    end_column: Int32(columns), part: 0, parts: 0, scratch: scratch.baseAddress)
                                syrinx_conv_run(&call)
                            }
                        }
                    }
                }
            }
            let start = padding * outputs
            let heard = Array(output[start..<start + exact.count])
            #expect(signalToNoise(heard, exact) >= 115, "\(level) seed \(seed)")
        }
    }
}

import CKernels
import TestSupport

/// A generator stage with random weights, its kernels and its definition in double precision.
final class StageCase {
    let inputs: Int
    let channels: Int
    let stride: Int
    let type: Int
    /// [block][layer]
    let kernels: [Int]
    let dilations: [[Int]]
    let upWeights: [Float]  // [inputs, channels, 2 stride]
    let upBias: [Float]
    let weights: [[[Float]]]  // [block][layer], [channels, channels, kernel]
    let biases: [[[Float]]]
    /// Keeps the packed weights that `stage` points to.
    private var packed: [UnsafeMutablePointer<Float>] = []
    private(set) var stage = syrinx_stage()

    var padding: Int { stride / 2 }
    private static let slope: Float = 0.1

    /// `points` 0: plain paths only.
    init(
        inputs: Int, channels: Int, stride: Int, type: Int, kernels: [Int], dilations: [[Int]],
        points: Int, seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        self.inputs = inputs
        self.channels = channels
        self.stride = stride
        self.type = type
        self.kernels = kernels
        self.dilations = dilations
        upWeights = random.floats(
            inputs * channels * 2 * stride, limit: 1 / Float(inputs).squareRoot())
        upBias = random.floats(channels, limit: 0.1)
        weights = kernels.enumerated().map { block, kernel in
            dilations[block].map { _ in
                random.floats(
                    channels * channels * kernel, limit: 1 / Float(channels * kernel).squareRoot())
            }
        }
        biases = dilations.map { $0.map { _ in random.floats(channels, limit: 0.1) } }

        stage.stride = Int32(stride)
        stage.padding = Int32(padding)
        stage.channels = Int32(channels)
        stage.slope = Self.slope
        stage.blocks = Int32(kernels.count)
        stage.layers = Int32(dilations[0].count)
        stage.type = Int32(type)
        let (kernel, step) = (Int32(2 * stride), Int32(stride))
        stage.upsampler = layer(
            syrinx_transposed_conv(kernel, step, Int32(inputs), Int32(channels), Int32(min(points, 6))),
            upWeights,
            syrinx_transposed_conv_strides(kernel, step, Int32(inputs), Int32(channels)), upBias)
        var layers: [syrinx_layer] = []
        for (block, kernel) in kernels.enumerated() {
            for l in 0..<Int(syrinx_stage_max_layers) {
                guard l < dilations[block].count else {
                    layers.append(syrinx_layer())
                    continue
                }
                let width = Int32(channels)
                var conv = syrinx_conv(
                    taps: Int32(kernel), dilation: Int32(dilations[block][l]),
                    left: Int32((kernel - 1) / 2), inputs: width, columns: width,
                    tile: syrinx_conv_tile(Int32(kernel), width, width, Int32(points)))
                layers.append(
                    layer(conv, weights[block][l], syrinx_conv_strides(&conv), biases[block][l]))
            }
        }
        withUnsafeMutableBytes(of: &stage.layer) { bytes in
            let slots = bytes.bindMemory(to: syrinx_layer.self)
            for (index, layer) in layers.enumerated() { slots[index] = layer }
        }
    }

    deinit { for memory in packed { memory.deallocate() } }

    private func layer(
        _ conv: syrinx_conv, _ weights: [Float], _ strides: syrinx_weight_strides, _ bias: [Float]
    ) -> syrinx_layer {
        var conv = conv
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: syrinx_conv_weights_size(&conv))
        packed.append(memory)
        syrinx_conv_pack(&conv, weights, strides, 1, bias, memory)
        return syrinx_layer(conv: conv, packed: memory)
    }

    /// The whole output in double precision, straight from the definition.
    func exact(_ input: [Float]) -> [Double] {
        let length = input.count / inputs
        let rows = length * stride
        let slope = Double(Self.slope)
        func act(_ x: Double) -> Double { x > 0 ? x : x * slope }
        var y = (0..<rows * channels).map { Double(upBias[$0 % channels]) }
        for i in 0..<length {
            for k in 0..<2 * stride {
                let o = i * stride + k - padding
                guard o >= 0, o < rows else { continue }
                for a in 0..<inputs {
                    let x = act(Double(input[i * inputs + a]))
                    for c in 0..<channels {
                        y[o * channels + c] += x * Double(upWeights[(a * channels + c) * 2 * stride + k])
                    }
                }
            }
        }
        func conv(_ x: [Double], _ block: Int, _ l: Int) -> [Double] {
            let (kernel, dilation) = (kernels[block], dilations[block][l])
            let w = weights[block][l]
            let activated = x.map(act)
            var result = (0..<rows * channels).map { Double(biases[block][l][$0 % channels]) }
            for t in 0..<rows {
                for k in 0..<kernel {
                    let from = t + (k - (kernel - 1) / 2) * dilation
                    guard from >= 0, from < rows else { continue }
                    for c in 0..<channels {
                        var sum = 0.0
                        for a in 0..<channels {
                            sum += activated[from * channels + a] * Double(w[(c * channels + a) * kernel + k])
                        }
                        result[t * channels + c] += sum
                    }
                }
            }
            return result
        }
        var sum = [Double](repeating: 0, count: rows * channels)
        for block in kernels.indices {
            var x = y
            for l in stride(from: 0, to: dilations[block].count, by: type == 1 ? 2 : 1) {
                var change = conv(x, block, l)
                if type == 1 { change = conv(change, block, l + 1) }
                for index in x.indices { x[index] += change[index] }
            }
            for index in x.indices { sum[index] += x[index] }
        }
        return sum
    }

    private func stride(from: Int, to: Int, by: Int) -> StrideTo<Int> {
        Swift.stride(from: from, to: to, by: by)
    }
}

/// A stream through a stage: state, scratch and what has come out so far.
final class StageStream {
    let test: StageCase
    private var state = syrinx_stage_state()
    private let memory: UnsafeMutablePointer<Float>
    private let scratch: UnsafeMutablePointer<Float>
    private(set) var output: [Float] = []

    init(_ test: StageCase) {
        self.test = test
        (memory, scratch) = withUnsafePointer(to: test.stage) { stage in
            let memory = UnsafeMutablePointer<Float>.allocate(capacity: syrinx_stage_memory_size(stage))
            let scratch = UnsafeMutablePointer<Float>.allocate(
                capacity: syrinx_stage_scratch_size(stage, 1))
            // What was not written must not be read.
            memory.initialize(repeating: .nan, count: syrinx_stage_memory_size(stage))
            scratch.initialize(repeating: .nan, count: syrinx_stage_scratch_size(stage, 1))
            return (memory, scratch)
        }
        restart()
    }

    deinit {
        memory.deallocate()
        scratch.deallocate()
    }

    func restart() {
        output = []
        withUnsafePointer(to: test.stage) { syrinx_stage_start($0, &state, 0, memory) }
    }

    /// Rows given out.
    @discardableResult
    func step(_ input: ArraySlice<Float>, eager: Bool, last: Bool) -> Int {
        let rows = input.count / test.inputs
        return withUnsafePointer(to: test.stage) { stage in
            let bound = syrinx_stage_output_bound(stage, rows)
            var new = [Float](repeating: .nan, count: bound * test.channels)
            let given = input.withUnsafeBufferPointer { input in
                syrinx_stage_step(
                    stage, &state, input.baseAddress, test.inputs, rows, eager, last, nil, &new, scratch)
            }
            precondition(given <= bound)
            output += new[..<(given * test.channels)]
            return given
        }
    }

    /// The whole input in steps of the given rows, repeated to the end.
    func run(_ input: [Float], steps: [Int], eager: (Int) -> Bool) -> [Float] {
        restart()
        let length = input.count / test.inputs
        var at = 0
        var index = 0
        repeat {
            let rows = min(steps[index % steps.count], length - at)
            let slice = input[at * test.inputs..<(at + rows) * test.inputs]
            at += rows
            step(slice, eager: eager(index), last: at == length)
            index += 1
        } while at < length
        return output
    }
}

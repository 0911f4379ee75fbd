import TestSupport
import Testing

@testable import VITS

@Suite("A voice file that is wrong")
struct HostileVoiceTests {
    /// Has every kind of layer: speakers, stochastic durations, a flow with mean and deviation.
    private static let base = "mean-and-logs"

    /// What loading says: nil when it loads.
    private func complaint(_ voice: EditedVoice) -> String? {
        do {
            _ = try voice.load()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// The layer that a tensor belongs to: its name without the last part.
    private func layer(_ tensor: String) -> String? {
        tensor.hasPrefix("onnx::") ? nil : tensor.split(separator: ".").dropLast().joined(separator: ".")
    }

    @Test("is written and read by these tests without a change")
    func identity() throws {
        for voice in ["mean-and-logs", "plain-multi", "tiny-medium"] {
            #expect(try EditedVoice(voice).bytes == GoldenFiles.bytes(voice))
        }
    }

    @Test(
        "in that a tensor is missing is refused, naming it",
        arguments: [base, "plain-multi", "multi-resblock1"])
    func missingTensors(name: String) throws {
        let original = try EditedVoice(name)
        #expect(original.tensors.count > 60)
        for tensor in original.tensors {
            var voice = original
            voice.removeTensor(tensor.name)
            let said = complaint(voice)
            #expect(said?.contains(tensor.name) == true, "without \(tensor.name): \(said ?? "loaded")")
            #expect(said?.contains("\n") == false)
        }
    }

    @Test(
        "in that a tensor has another shape is refused, naming it or its layer",
        arguments: [base, "plain-multi", "multi-resblock1"])
    func shapes(name: String) throws {
        let original = try EditedVoice(name)
        // More symbols or speakers are a valid voice.
        let free = ["enc_p.emb.weight", "emb_g.weight"]
        for tensor in original.tensors {
            for axis in tensor.dims.indices {
                if axis == 0, free.contains(tensor.name) { continue }
                for growth in [1, 2] {
                    var voice = original
                    voice.editTensor(tensor.name) { dims, values in
                        dims[axis] += growth
                        let count = dims.reduce(1, *)
                        values = (0..<count).map { values[$0 % values.count] }
                    }
                    let said = complaint(voice)
                    #expect(said != nil, "\(tensor.name) with axis \(axis) longer by \(growth) loaded")
                    if let said, let layer = layer(tensor.name) {
                        // The table of an embedding decides what the layers that read it should be.
                        #expect(said.contains(layer) || free.contains(tensor.name), "\(tensor.name): \(said)")
                    }
                }
            }
            var voice = original
            voice.editTensor(tensor.name) { dims, values in
                dims[0] = 0
                values = []
            }
            #expect(complaint(voice) != nil, "\(tensor.name) without a row loaded")
            voice = original
            voice.editTensor(tensor.name) { dims, _ in dims.append(1) }
            #expect(complaint(voice)?.contains(tensor.name) == true, "\(tensor.name) with another axis")
        }
    }

    @Test(
        "in that a number is not finite is refused, naming the tensor, or gives silence",
        arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(value: Float) throws {
        let original = try EditedVoice(Self.base)
        for (index, tensor) in original.tensors.enumerated() {
            var voice = original
            voice.editTensor(tensor.name) { _, values in values[index % values.count] = value }
            // The large weights are not read while the voice is loaded; they end as silence.
            if tensor.dims.count == 3, let model = try? voice.load() {
                try exercise(model)
                continue
            }
            let said = complaint(voice)
            #expect(
                said?.contains(tensor.name) == true && said?.contains("not finite") == true,
                "\(tensor.name): \(said ?? "loaded")")
        }
    }

    /// One layer of every kind that the loader knows.
    private static let convolutions = [
        "/enc_p/encoder/attn_layers.0/conv_q", "/enc_p/encoder/attn_layers.1/conv_o",
        "/enc_p/encoder/ffn_layers.0/conv_1",
        "/enc_p/proj", "/dp/pre", "/dp/proj", "/dp/convs/convs_sep.1", "/dp/convs/convs_1x1.0",
        "/dp/flows.3/proj", "/dp/cond",
        "/flow/flows.0/pre", "/flow/flows.2/enc/in_layers.1", "/flow/flows.2/enc/res_skip_layers.0",
        "/flow/flows.0/post",
        "/flow/flows.0/enc/cond_layer", "/dec/conv_pre", "/dec/resblocks.4/convs.1", "/dec/conv_post",
        "/dec/cond",
    ]

    @Test("in that a layer's geometry is wrong is refused, naming the layer", arguments: convolutions)
    func geometry(node: String) throws {
        let original = try EditedVoice(Self.base)
        let layer = node.dropFirst().replacing("/", with: ".")
        var wrong: [(String, [Int]?)] = [
            ("strides", [0]), ("strides", [2]), ("strides", [-1]), ("strides", [1, 1]), ("strides", [.max]),
            ("dilations", [0]), ("dilations", [-1]), ("dilations", [.max]), ("dilations", [.min]),
            ("group", [0]), ("group", [3]), ("group", [-1]), ("group", [.max]),
            ("pads", [-1, -1]), ("pads", [1]), ("pads", [1, 2, 3]), ("pads", [.max, .max]),
            ("pads", [1 << 40, 0]),
        ]
        // Padding that makes the signal longer or shifts it.
        wrong += [("pads", [40, 41])]
        for (attribute, values) in wrong {
            var voice = original
            voice.setAttribute(attribute, of: node + "/Conv", to: values)
            let said = complaint(voice)
            #expect(said?.contains(layer) == true, "\(attribute) \(values ?? []): \(said ?? "loaded")")
        }
        for opType in ["ConvTranspose", "MatMul"] {
            var voice = original
            voice.setOperator(of: node + "/Conv", to: opType)
            #expect(complaint(voice) != nil, "\(opType) loaded")
        }
        var voice = original
        voice.addAttribute("auto_pad", of: node + "/Conv", text: "SAME_UPPER")
        #expect(complaint(voice)?.contains(layer) == true)
    }

    @Test(
        "in that a wide layer's padding is missing is refused, naming the layer",
        arguments: [
            "/dec/conv_pre", "/dec/conv_post", "/dec/resblocks.4/convs.1", "/flow/flows.2/enc/in_layers.1",
            "/dp/convs/convs_sep.1",
        ])
    func missingPads(node: String) throws {
        for values in [nil, [0, 0]] as [[Int]?] {
            var voice = try EditedVoice(Self.base)
            voice.setAttribute("pads", of: node + "/Conv", to: values)
            #expect(complaint(voice)?.contains(node.dropFirst().replacing("/", with: ".")) == true)
        }
        // Uneven, but of the right sum: the signal would be shifted, and a stream would not end.
        var voice = try EditedVoice(Self.base)
        voice.setAttribute("pads", of: node + "/Conv", to: [0, 2])
        #expect(complaint(voice) != nil)
    }

    @Test("in that a node for padding is missing is refused, naming the layer")
    func missingPadNode() throws {
        var voice = try EditedVoice(Self.base)
        voice.setOperator(of: "/enc_p/encoder/ffn_layers.1/Pad", to: "Identity")
        #expect(complaint(voice)?.contains("enc_p.encoder.ffn_layers.1.conv_1") == true)
    }

    @Test(
        "in that a dilation is beyond all measure is refused before anything is allocated",
        arguments: [513, 100_000, 1 << 19])
    func hugeDilation(dilation: Int) throws {
        for (node, taps) in [("/dec/resblocks.4/convs.1", 4), ("/flow/flows.2/enc/in_layers.1", 4)] {
            var voice = try EditedVoice(Self.base)
            voice.setAttribute("dilations", of: node + "/Conv", to: [dilation])
            voice.setAttribute("pads", of: node + "/Conv", to: [dilation * taps / 2, dilation * taps / 2])
            #expect(complaint(voice)?.contains(node.dropFirst().replacing("/", with: ".")) == true)
        }
    }

    /// Whole tiles of such a convolution would hold back thousands of frames.
    @Test("in that the decoder's first convolution is dilated speaks as in the plain form, at once")
    func dilatedStart() throws {
        for dilation in [2, 40, 300] {
            var voice = try EditedVoice("tiny-medium")
            voice.setAttribute("dilations", of: "/dec/conv_pre/Conv", to: [dilation])
            voice.setAttribute("pads", of: "/dec/conv_pre/Conv", to: [3 * dilation, 3 * dilation])
            let model = try voice.load()
            let request = SentenceRequest(ids: Rendering.ids(KernelPlan.shortSentence + 40))
            let rendering = Rendering(model: model, request: request, seed: 3)
            let whole = try rendering.audio(.all)
            #expect(try rendering.audio(.scheduled).hasSameBits(as: whole))
            let stream = try rendering.stream()
            let frames = try rendering.plan().0.frames
            var (audio, schedule, taken): ([Float], StepSchedule, Int) = ([], model.schedule, 0)
            while !stream.isFinished, taken < frames {
                let step = schedule.nextStep()
                taken += step
                stream.step(step, into: &audio)
                // No more is held back than the look-ahead and some tiles.
                #expect(audio.count >= (min(taken, frames) - model.lookahead - 128) * model.hop)
            }
        }
    }

    /// Whoever takes hop a frame for the end waits for ever, or loses it.
    @Test("in that an upsampler's padding is not Piper's gives as many samples as it says, and ends")
    func oddUpsampler() throws {
        for (stride, pads) in [(2, 2), (4, 0), (5, 1)] {
            var voice = try EditedVoice("tiny-low-16k")
            voice.setAttribute("strides", of: "/dec/ups.2/ConvTranspose", to: [stride])
            voice.setAttribute("pads", of: "/dec/ups.2/ConvTranspose", to: [pads, pads])
            let model = try voice.load()
            let rendering = Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(9)), seed: 4)
            let frames = try rendering.plan().0.frames
            #expect(model.samples(frames: frames) != frames * model.hop)
            #expect(try rendering.audio(.scheduled).count == model.samples(frames: frames))
        }
    }

    @Test("in that the last convolution is dilated is refused, naming it")
    func dilatedEnd() throws {
        for name in [Self.base, "tiny-medium"] {
            var voice = try EditedVoice(name)
            voice.setAttribute("dilations", of: "/dec/conv_post/Conv", to: [2])
            voice.setAttribute("pads", of: "/dec/conv_post/Conv", to: [6, 6])
            #expect(complaint(voice)?.contains("dec.conv_post") == true)
        }
    }

    /// All branches would end a tile together after millions of rows, which the fused kernel would keep.
    @Test("in that dilations have no common measure speaks, layer by layer")
    func oddDilations() throws {
        var voice = try EditedVoice("tiny-medium")
        for (block, dilation, span) in [(0, 509, 1018), (1, 257, 1028), (2, 167, 1002)] {
            let node = "/dec/resblocks.\(block)/convs.1/Conv"
            voice.setAttribute("dilations", of: node, to: [dilation])
            voice.setAttribute("pads", of: node, to: [span / 2, span / 2])
        }
        try exercise(voice.load())
    }

    @Test(
        "with any slope in front of its last layer is the plain form within 1e-4",
        arguments: [0.01, 1, -0.5, 1.5] as [Float])
    func slopes(slope: Float) throws {
        var voice = try EditedVoice("tiny-medium")
        voice.setAttribute("alpha", of: "/dec/LeakyRelu_3", float: slope)
        let request = SentenceRequest(ids: Rendering.ids(5))
        let fast = try Rendering(model: voice.load(), request: request).audio(.scheduled)
        let plain = try Rendering(model: voice.load(.plain), request: request).audio(.scheduled)
        #expect(maximumDifference(fast, plain) <= 1e-4)
    }

    @Test("in that an upsampler is wrong is refused, naming it")
    func upsamplers() throws {
        let wrong: [(String, [Int])] = [
            ("strides", [0]), ("strides", [17]), ("strides", [1 << 30]), ("pads", [4, 3]), ("pads", [9, 9]),
            ("group", [2]), ("dilations", [2]),
        ]
        for (attribute, values) in wrong {
            var voice = try EditedVoice(Self.base)
            voice.setAttribute(attribute, of: "/dec/ups.1/ConvTranspose", to: values)
            #expect(complaint(voice)?.contains("dec.ups.1") == true, "\(attribute) \(values)")
        }
    }

    @Test("in that upsamplers multiply to more than can be is refused")
    func hugeHop() throws {
        var voice = try EditedVoice(Self.base)
        for i in 0..<3 {
            let name = "dec.ups.\(i).weight"
            voice.editTensor(name) { dims, values in
                dims[2] = 1024
                values = [Float](repeating: 0, count: dims.reduce(1, *))
            }
            voice.setAttribute("kernel_shape", of: "/dec/ups.\(i)/ConvTranspose", to: [1024])
            voice.setAttribute("strides", of: "/dec/ups.\(i)/ConvTranspose", to: [1024])
            voice.setAttribute("pads", of: "/dec/ups.\(i)/ConvTranspose", to: [0, 0])
        }
        #expect(complaint(voice)?.contains("dec.ups.1") == true)
    }

    @Test("in that layers look further ahead than can be is refused")
    func hugeLookahead() throws {
        var voice = try EditedVoice(Self.base)
        voice.editTensor("dec.ups.0.weight") { dims, values in
            dims[2] = 1 << 17
            values = [Float](repeating: 0, count: dims.reduce(1, *))
        }
        voice.setAttribute("kernel_shape", of: "/dec/ups.0/ConvTranspose", to: [1 << 17])
        voice.setAttribute("strides", of: "/dec/ups.0/ConvTranspose", to: [1])
        voice.setAttribute("pads", of: "/dec/ups.0/ConvTranspose", to: [1 << 16, 1 << 16])
        #expect(complaint(voice)?.contains("frames ahead") == true)
    }

    @Test("in that layers are numbered twice or with gaps does not load or does not crash")
    func numbering() throws {
        for other in ["01", "+1", "-1", "7", "00000000000000000000001", "99999999999999999999", "x", ""] {
            for name in [
                "flow.flows.0.enc.in_layers.1.bias", "dec.resblocks.1.convs.1.weight", "dec.ups.1.weight",
                "dp.convs.convs_sep.1.weight", "enc_p.encoder.attn_layers.1.conv_q.weight",
                "dp.flows.3.pre.weight",
            ] {
                var voice = try EditedVoice(Self.base)
                voice.renameTensor(
                    name, to: name.replacing(".1.", with: ".\(other).").replacing(".3.", with: ".\(other)."))
                if let model = try? voice.load() { try exercise(model) }
            }
        }
    }

    @Test("in that an activation is missing before a layer is refused, naming the layer")
    func activations() throws {
        var voice = try EditedVoice(Self.base)
        voice.setOperator(of: "/dec/LeakyRelu_1", to: "Relu")
        #expect(complaint(voice)?.contains("dec.ups.1") == true)
    }

    @Test(
        "in that all weights are huge gives sound within −1 ... 1", arguments: [1e4, 1e19, 1e38] as [Float])
    func hugeWeights(size: Float) throws {
        let original = try EditedVoice(Self.base)
        for prefix in ["enc_p", "flow", "dec", "emb_g", "onnx::Conv", "dp.convs", ""] {
            var voice = original
            for tensor in original.tensors where tensor.name.hasPrefix(prefix) {
                voice.editTensor(tensor.name) { _, values in
                    for i in values.indices { values[i] = values[i] < 0 ? -size : size }
                }
            }
            do {
                try exercise(voice.load())
            } catch VITSError.tooLong {
                // Durations without end are one way that this can go.
            }
        }
    }

    @Test("in that durations are endless is refused, and of nothing gives the shortest sound")
    func durations() throws {
        for (shift, isEndless) in [(Float(-1e30), true), (-100, true), (1e30, false), (200, false)] {
            var voice = try EditedVoice(Self.base)
            voice.editTensor("dp.flows.0.m") { _, values in values = [shift, shift] }
            let model = try voice.load()
            let rendering = Rendering(model: model, request: SentenceRequest(ids: Rendering.ids(6)))
            if isEndless {
                #expect(throws: VITSError.self) { try rendering.plan() }
            } else {
                #expect(try rendering.plan().0.frames <= 6)
                #expect(try rendering.audio(.scheduled).count <= 6 * model.hop)
            }
        }
    }

    /// A short sentence; its samples are numbers within −1 ... 1.
    private func exercise(_ model: VITSModel) throws {
        let rendering = Rendering(
            model: model,
            request: SentenceRequest(
                ids: Rendering.ids(5, symbols: model.symbols), speaker: model.speakers - 1))
        let stream = try rendering.stream()
        var schedule = model.schedule
        var audio: [Float] = []
        for _ in 0..<3 where !stream.isFinished { stream.step(schedule.nextStep(), into: &audio) }
        #expect(audio.allSatisfy { abs($0) <= 1 })
    }

    // MARK: Bytes

    @Test(
        "at random bytes loads and speaks, or is refused in one line",
        arguments: ["symbols130", "plain-multi", "one-coupling-multi"])
    func mutations(name: String) throws {
        for seed in testSeeds(1...1000) {
            var random = SeededGenerator(seed: seed)
            var bytes = try Self.originals[name] ?? GoldenFiles.bytes(name)
            let places = Self.places[name] ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                // Most bytes are weights; names, shapes and attributes are what can hurt.
                let isStructure = Int.random(in: 0..<4, using: &random) > 0
                let index =
                    isStructure
                    ? places.randomElement(using: &random) ?? 0
                    : Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                default: bytes[index] &+= Bool.random(using: &random) ? 1 : 255
                }
            }
            do {
                try exercise(VITSModel(bytes: bytes, name: "mutated"))
            } catch {
                #expect(!"\(error)".isEmpty && !"\(error)".contains("\n"), "seed \(seed): \(error)")
            }
        }
    }

    private static let originals: [String: [UInt8]] = {
        var all: [String: [UInt8]] = [:]
        for name in ["symbols130", "plain-multi", "one-coupling-multi"] {
            all[name] = try? GoldenFiles.bytes(name)
        }
        return all
    }()

    /// Where the nodes of convolutions and the heads of tensors lie: around the names of weights.
    private static let places: [String: [Int]] = originals.mapValues { bytes in
        let marks = [
            ".weight", ".bias", "onnx::Conv", ".gamma", ".beta", "emb_rel", "strides", "pads", "dilations",
            "group", "alpha",
        ]
        .map { Array($0.utf8) }
        var near = Set<Int>()
        for index in bytes.indices {
            for mark in marks where bytes[index] == mark[0] && bytes[index...].starts(with: mark) {
                near.formUnion(max(0, index - 40)..<min(bytes.count, index + mark.count + 24))
            }
        }
        return near.sorted()
    }
}

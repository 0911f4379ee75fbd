import Testing

@testable import VITS

@Suite("A voice file that is wrong: its layers")
struct HostileLayerTests {
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
        let original = try EditedVoice(HostileVoice.base)
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
            let said = HostileVoice.complaint(voice)
            #expect(said?.contains(layer) == true, "\(attribute) \(values ?? []): \(said ?? "loaded")")
        }
        for opType in ["ConvTranspose", "MatMul"] {
            var voice = original
            voice.setOperator(of: node + "/Conv", to: opType)
            #expect(HostileVoice.complaint(voice) != nil, "\(opType) loaded")
        }
        var voice = original
        voice.addAttribute("auto_pad", of: node + "/Conv", text: "SAME_UPPER")
        #expect(HostileVoice.complaint(voice)?.contains(layer) == true)
    }

    @Test(
        "in that a wide layer's padding is missing is refused, naming the layer",
        arguments: [
            "/dec/conv_pre", "/dec/conv_post", "/dec/resblocks.4/convs.1", "/flow/flows.2/enc/in_layers.1",
            "/dp/convs/convs_sep.1",
        ])
    func missingPads(node: String) throws {
        for values in [nil, [0, 0]] as [[Int]?] {
            var voice = try EditedVoice(HostileVoice.base)
            voice.setAttribute("pads", of: node + "/Conv", to: values)
            #expect(HostileVoice.complaint(voice)?.contains(node.dropFirst().replacing("/", with: ".")) == true)
        }
        // Uneven, but of the right sum: the signal would be shifted, and a stream would not end.
        var voice = try EditedVoice(HostileVoice.base)
        voice.setAttribute("pads", of: node + "/Conv", to: [0, 2])
        #expect(HostileVoice.complaint(voice) != nil)
    }

    @Test("in that a node for padding is missing is refused, naming the layer")
    func missingPadNode() throws {
        var voice = try EditedVoice(HostileVoice.base)
        voice.setOperator(of: "/enc_p/encoder/ffn_layers.1/Pad", to: "Identity")
        #expect(HostileVoice.complaint(voice)?.contains("enc_p.encoder.ffn_layers.1.conv_1") == true)
    }

    @Test(
        "in that a dilation is beyond all measure is refused before anything is allocated",
        arguments: [513, 100_000, 1 << 19])
    func hugeDilation(dilation: Int) throws {
        for (node, taps) in [("/dec/resblocks.4/convs.1", 4), ("/flow/flows.2/enc/in_layers.1", 4)] {
            var voice = try EditedVoice(HostileVoice.base)
            voice.setAttribute("dilations", of: node + "/Conv", to: [dilation])
            voice.setAttribute("pads", of: node + "/Conv", to: [dilation * taps / 2, dilation * taps / 2])
            #expect(HostileVoice.complaint(voice)?.contains(node.dropFirst().replacing("/", with: ".")) == true)
        }
    }

    @Test("in that the last convolution is dilated is refused, naming it")
    func dilatedEnd() throws {
        for name in [HostileVoice.base, "tiny-medium"] {
            var voice = try EditedVoice(name)
            voice.setAttribute("dilations", of: "/dec/conv_post/Conv", to: [2])
            voice.setAttribute("pads", of: "/dec/conv_post/Conv", to: [6, 6])
            #expect(HostileVoice.complaint(voice)?.contains("dec.conv_post") == true)
        }
    }

    @Test("in that an upsampler is wrong is refused, naming it")
    func upsamplers() throws {
        let wrong: [(String, [Int])] = [
            ("strides", [0]), ("strides", [17]), ("strides", [1 << 30]), ("pads", [4, 3]), ("pads", [9, 9]),
            ("group", [2]), ("dilations", [2]),
        ]
        for (attribute, values) in wrong {
            var voice = try EditedVoice(HostileVoice.base)
            voice.setAttribute(attribute, of: "/dec/ups.1/ConvTranspose", to: values)
            #expect(HostileVoice.complaint(voice)?.contains("dec.ups.1") == true, "\(attribute) \(values)")
        }
    }

    @Test("in that upsamplers multiply to more than can be is refused")
    func hugeHop() throws {
        var voice = try EditedVoice(HostileVoice.base)
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
        #expect(HostileVoice.complaint(voice)?.contains("dec.ups.1") == true)
    }

    @Test("in that layers look further ahead than can be is refused")
    func hugeLookahead() throws {
        var voice = try EditedVoice(HostileVoice.base)
        voice.editTensor("dec.ups.0.weight") { dims, values in
            dims[2] = 1 << 17
            values = [Float](repeating: 0, count: dims.reduce(1, *))
        }
        voice.setAttribute("kernel_shape", of: "/dec/ups.0/ConvTranspose", to: [1 << 17])
        voice.setAttribute("strides", of: "/dec/ups.0/ConvTranspose", to: [1])
        voice.setAttribute("pads", of: "/dec/ups.0/ConvTranspose", to: [1 << 16, 1 << 16])
        #expect(HostileVoice.complaint(voice)?.contains("frames ahead") == true)
    }

    @Test("in that an activation is missing before a layer is refused, naming the layer")
    func activations() throws {
        var voice = try EditedVoice(HostileVoice.base)
        voice.setOperator(of: "/dec/LeakyRelu_1", to: "Relu")
        #expect(HostileVoice.complaint(voice)?.contains("dec.ups.1") == true)
    }
}

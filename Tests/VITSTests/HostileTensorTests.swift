import TestSupport
import Testing

@testable import VITS

@Suite("A voice file that is wrong: its tensors")
struct HostileTensorTests {
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
        arguments: [HostileVoice.base, "plain-multi", "multi-resblock1"])
    func missingTensors(name: String) throws {
        let original = try EditedVoice(name)
        #expect(original.tensors.count > 60)
        for tensor in original.tensors {
            var voice = original
            voice.removeTensor(tensor.name)
            let said = HostileVoice.complaint(voice)
            #expect(said?.contains(tensor.name) == true, "without \(tensor.name): \(said ?? "loaded")")
            #expect(said?.contains("\n") == false)
        }
    }

    @Test(
        "in that a tensor has another shape is refused, naming it or its layer",
        arguments: [HostileVoice.base, "plain-multi", "multi-resblock1"])
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
                    let said = HostileVoice.complaint(voice)
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
            #expect(HostileVoice.complaint(voice) != nil, "\(tensor.name) without a row loaded")
            voice = original
            voice.editTensor(tensor.name) { dims, _ in dims.append(1) }
            #expect(HostileVoice.complaint(voice)?.contains(tensor.name) == true, "\(tensor.name) with another axis")
        }
    }

    @Test(
        "in that a number is not finite is refused, naming the tensor, or gives silence",
        arguments: [Float.nan, .infinity, -.infinity])
    func notFinite(value: Float) throws {
        let original = try EditedVoice(HostileVoice.base)
        for (index, tensor) in original.tensors.enumerated() {
            var voice = original
            voice.editTensor(tensor.name) { _, values in values[index % values.count] = value }
            // The large weights are not read while the voice is loaded; they end as silence.
            if tensor.dims.count == 3, let model = try? voice.load() {
                try HostileVoice.exercise(model)
                continue
            }
            let said = HostileVoice.complaint(voice)
            #expect(
                said?.contains(tensor.name) == true && said?.contains("not finite") == true,
                "\(tensor.name): \(said ?? "loaded")")
        }
    }

    @Test(
        "in that all weights are huge gives sound within −1 ... 1", arguments: [1e4, 1e19, 1e38] as [Float])
    func hugeWeights(size: Float) throws {
        let original = try EditedVoice(HostileVoice.base)
        for prefix in ["enc_p", "flow", "dec", "emb_g", "onnx::Conv", "dp.convs", ""] {
            var voice = original
            for tensor in original.tensors where tensor.name.hasPrefix(prefix) {
                voice.editTensor(tensor.name) { _, values in
                    for i in values.indices { values[i] = values[i] < 0 ? -size : size }
                }
            }
            do {
                try HostileVoice.exercise(voice.load())
            } catch VITSError.tooLong {
                // Durations without end are one way that this can go.
            }
        }
    }

    @Test("in that durations are endless is refused, and of nothing gives the shortest sound")
    func durations() throws {
        for (shift, isEndless) in [(Float(-1e30), true), (-100, true), (1e30, false), (200, false)] {
            var voice = try EditedVoice(HostileVoice.base)
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

    @Test("in that layers are numbered twice or with gaps does not load or does not crash")
    func numbering() throws {
        for other in ["01", "+1", "-1", "7", "00000000000000000000001", "99999999999999999999", "x", ""] {
            for name in [
                "flow.flows.0.enc.in_layers.1.bias", "dec.resblocks.1.convs.1.weight", "dec.ups.1.weight",
                "dp.convs.convs_sep.1.weight", "enc_p.encoder.attn_layers.1.conv_q.weight",
                "dp.flows.3.pre.weight",
            ] {
                var voice = try EditedVoice(HostileVoice.base)
                voice.renameTensor(
                    name, to: name.replacing(".1.", with: ".\(other).").replacing(".3.", with: ".\(other)."))
                if let model = try? voice.load() { try HostileVoice.exercise(model) }
            }
        }
    }
}

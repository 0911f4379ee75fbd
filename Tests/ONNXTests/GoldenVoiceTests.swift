import Testing

@testable import ONNX

@Suite("What Python's onnx reads from a file, this reader reads")
struct GoldenVoiceTests {
    @Test("nodes with all names and attributes", arguments: Golden.voiceNames + ["kinds"])
    func nodes(name: String) throws {
        let expected = try #require(try Golden.summary().files[name])
        let model = try ONNXModel(contentsOf: Golden.path(name))
        #expect(model.nodes.count == expected.nodes)
        var counts: [String: Int] = [:]
        var sums: [String: CRC32] = [:]
        for node in model.nodes {
            counts[node.opType, default: 0] += 1
            let attributes = node.attributes.map { "\($0.name)=\(text($0.value))" }.joined(separator: ";")
            let inputs = node.inputs.map(\.name).joined(separator: "&")
            let outputs = node.outputs.map(\.name).joined(separator: "&")
            let line = "\(node.name)|\(node.opType)|\(inputs)|\(outputs)|\(attributes)\n"
            sums[node.opType, default: CRC32()].update(line.utf8)
        }
        #expect(counts == expected.operators)
        for (operation, crc) in expected.crc {
            #expect(sums[operation]?.value == crc, "nodes of type \(operation)")
        }
    }

    @Test("initializers to the bit", arguments: Golden.voiceNames)
    func initializers(name: String) throws {
        let expected = try #require(try Golden.summary().files[name]).initializers
        let model = try ONNXModel(contentsOf: Golden.path(name))
        #expect(model.initializers.map(\.name).sorted() == expected.keys.sorted())
        for (tensorName, want) in expected {
            let tensor = try #require(model.initializer(tensorName))
            let floats = try tensor.floats()
            #expect(tensor.name == tensorName)
            #expect(tensor.dims == want.dims, "\(tensorName)")
            #expect(tensor.elementType == .float32, "\(tensorName)")
            #expect(floats.count == tensor.count)
            #expect(Array(floats.prefix(3)) == want.first, "\(tensorName)")
            #expect(floats.withUnsafeBytes { CRC32.of($0) } == want.crc, "\(tensorName)")
            let crc = try #require(tensor.withUnsafeBytes { CRC32.of($0) })
            #expect(crc == want.crc, "\(tensorName)")
            let sum = floats.reduce(0.0) { $0 + Double($1) }
            let scale = floats.reduce(1e-30) { $0 + Double($1.magnitude) }
            #expect(abs(sum - want.sum) <= 1e-12 * scale, "\(tensorName)")
        }
    }

    @Test("versions, inputs and outputs", arguments: Golden.voiceNames + ["kinds"])
    func header(name: String) throws {
        let expected = try #require(try Golden.summary().files[name])
        let model = try ONNXModel(contentsOf: Golden.path(name))
        #expect("\(model.producerName) \(model.producerVersion)" == expected.producer)
        #expect(model.irVersion == expected.irVersion)
        #expect(model.opsets == expected.opsets)
        #expect(model.opset == 15)
        #expect(model.inputs.map(\.name) == expected.inputs)
        #expect(model.outputs.map(\.name) == expected.outputs)
    }

    @Test("types and shapes of the inputs of a voice")
    func inputTypes() throws {
        let model = try ONNXModel(contentsOf: Golden.path("tiny-multispeaker"))
        #expect(model.inputs.map(\.elementType) == [.int64, .int64, .float32, .int64])
        #expect(model.inputs[0].dims == [.named("batch_size"), .named("phonemes")])
        #expect(model.inputs[2].dims == [.fixed(3)])
    }

    @Test(
        "a value knows the node that makes it, the nodes that read it, and its constant", arguments: Golden.voiceNames)
    func values(name: String) throws {
        let model = try ONNXModel(contentsOf: Golden.path(name))
        var producers: [String: String] = [:]
        var consumers: [String: [String]] = [:]
        for node in model.nodes {
            for output in node.outputs { producers[output.name] = node.label }
            for input in Set(node.inputs.map(\.name)) where !input.isEmpty {
                consumers[input, default: []].append(node.label)
            }
        }
        let names = Set(producers.keys).union(consumers.keys).union(model.initializers.map(\.name))
        #expect(names.count > 100)
        for name in names {
            let value = try #require(model.value(name))
            #expect(value.name == name)
            #expect(value.producer?.label == producers[name], "\(name)")
            #expect(value.consumers.map(\.label) == consumers[name] ?? [], "\(name)")
            #expect(value.initializer?.name == (producers[name] == nil ? model.initializer(name)?.name : nil))
        }
        #expect(model.value("no such value") == nil && model.value("") == nil)
    }

    @Test("nodes are found by operator, in the graph's order")
    func operators() throws {
        let model = try ONNXModel(contentsOf: Golden.path("tiny-medium"))
        let expected = model.nodes.filter { $0.opType == "Conv" || $0.opType == "Gather" }.map(\.label)
        #expect(expected.count > 10)
        #expect(model.nodes("Conv", "Gather").map(\.label) == expected)
        #expect(model.nodes("NoSuchOperator").isEmpty && model.nodes("").isEmpty)
    }

    @Test("an input that is left out is nil by its place")
    func leftOut() throws {
        let bytes = Model.bytes { graph in
            graph.message(1) { node in
                node.text(2, "a")
                node.text(4, "Op")
            }
            graph.message(1) { node in
                for input in ["a", "", "a"] { node.text(1, input) }
                node.text(4, "Op")
            }
        }
        let node = try #require(try ONNXModel(bytes: bytes).nodes.last)
        #expect(node.inputs.map(\.name) == ["a", "", "a"])
        #expect(
            node.input(0)?.name == "a" && node.input(1) == nil && node.input(2)?.name == "a" && node.input(3) == nil)
        #expect(node.inputs[1].producer == nil)
        #expect(node.inputs[0].consumers.count == 1)
    }

    /// As `text` in make_onnx.py.
    private func text(_ value: ONNXAttribute.Value) -> String {
        func bits(_ float: Float) -> String { hex(float.bitPattern) }
        func hex(_ value: UInt32) -> String {
            let digits = String(value, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }
        switch value {
        case .int(let int): return "\(int)"
        case .float(let float): return bits(float)
        case .string(let string): return string
        case .ints(let ints): return ints.map(String.init).joined(separator: ",")
        case .floats(let floats): return floats.map(bits).joined(separator: ",")
        case .strings(let strings): return strings.joined(separator: ",")
        case .tensor(let tensor):
            // A short tensor of Python's may be in a typed field, of the two types that occur here.
            let crc =
                tensor.withUnsafeBytes { CRC32.of($0) }
                ?? (try? tensor.floats().withUnsafeBytes { CRC32.of($0) })
                ?? (try? tensor.int64s().withUnsafeBytes { CRC32.of($0) }) ?? 0
            return "\(tensor.elementType)\(tensor.dims):\(hex(crc))"
        case .unread(kind: "type"): return "type_proto"
        default: return value.kind
        }
    }
}

import Testing

@testable import ONNX

@Suite("Models that are wrong in one place")
struct BadModelTests {
    /// Opens what must not open, and gives why and where.
    private func refusal(
        _ bytes: [UInt8], _ location: SourceLocation = #_sourceLocation
    ) -> (reason: ONNXError.Reason?, message: String) {
        do throws(ONNXError) {
            _ = try ONNXModel(bytes: bytes)
            Issue.record("opened", sourceLocation: location)
            return (nil, "")
        } catch {
            guard case .refused(_, let reason) = error else { return (nil, "\(error)") }
            return (reason, "\(error)")
        }
    }

    @Test("the smallest model opens")
    func smallest() throws {
        let model = try ONNXModel(bytes: Model.bytes { _ in })
        #expect(model.nodes.isEmpty && model.initializers.isEmpty && model.opset == 15)
    }

    // Wire format

    @Test(
        "a length beyond the end is refused, whatever its size",
        arguments: [1, 127, 1 << 31, UInt64.max, 1 << 63])
    func lengths(length: UInt64) {
        let bytes = WireWriter.message { model in
            model.tag(7, 2)
            model.varint(length)
        }
        #expect(refusal(bytes).reason == .truncated(needed: length, available: 0))
    }

    @Test("a length may not reach over the end of the message around it")
    func innerLength() {
        let bytes = Model.bytes { graph in
            graph.tag(1, 2)
            graph.varint(4)  // the model goes on for longer than this, the graph does not
        }
        #expect(refusal(bytes).reason == .truncated(needed: 4, available: 0))
    }

    @Test("integers of more than 10 bytes or 64 bits are refused")
    func overlong() {
        let eleven = [UInt8](repeating: 0x80, count: 10) + [1]
        #expect(refusal([0x08] + eleven).reason == .overlongVarint)
        let tooBig = [UInt8](repeating: 0xFF, count: 9) + [2]
        #expect(refusal([0x08] + tooBig).reason == .overlongVarint)
        #expect(refusal([0x80]).reason == .truncated(needed: 2, available: 1))
    }

    @Test("field 0 and wire types 6 and 7 are no fields", arguments: [0x00, 0x0E, 0x0F] as [UInt8])
    func tags(tag: UInt8) {
        #expect(refusal([tag, 0]).reason == .invalidTag)
    }

    @Test("a known field of another wire type is refused with its number")
    func wireType() {
        #expect(refusal(WireWriter.message { $0.int(7, 1) }).reason == .wrongWireType(field: 7, found: 0))
        let name = Model.bytes { graph in graph.message(1) { $0.int(3, 5) } }
        #expect(refusal(name).reason == .wrongWireType(field: 3, found: 0))
        #expect(refusal(name).message.contains("graph, node 0"))
    }

    @Test("unknown fields and groups are skipped")
    func unknownFields() throws {
        let bytes = WireWriter.message { model in
            model.int(900, -1)
            model.tag(901, 1)
            model.raw([1, 2, 3, 4, 5, 6, 7, 8])
            model.tag(902, 5)
            model.raw([1, 2, 3, 4])
            model.text(903, "x")
            model.tag(904, 3)
            model.tag(905, 3)
            model.int(7, 1)  // inside a group, field 7 is not the graph
            model.tag(905, 4)
            model.tag(904, 4)
            model.raw(Model.bytes { _ in })
        }
        #expect(try ONNXModel(bytes: bytes).opset == 15)
    }

    @Test("groups must end, with their own number, and not nest without bound")
    func groups() {
        #expect(refusal(WireWriter.message { $0.tag(900, 3) }).reason == .truncated(needed: 1, available: 0))
        #expect(refusal(WireWriter.message { $0.tag(900, 4) }).reason == .invalidTag)
        let crossed = WireWriter.message { model in
            model.tag(900, 3)
            model.tag(901, 4)
        }
        #expect(refusal(crossed).reason == .invalidTag)
        let deep = WireWriter.message { model in for _ in 0..<100_000 { model.tag(900, 3) } }
        #expect(refusal(deep).reason == .tooDeep(limit: 64))
    }

    @Test(
        "text that is not UTF-8 is refused where it stands",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x98], [0xF5, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func utf8(name: [UInt8]) {
        let bytes = Model.bytes { graph in
            graph.message(1) { node in
                node.text(4, "Op")
                node.bytes(1, name)
            }
        }
        #expect(refusal(bytes).reason == .invalidUTF8)
        #expect(refusal(bytes).message.contains("graph, node 0"))
    }

    // Structure

    @Test("a graph and the operator set version must be there")
    func missingParts() {
        #expect(refusal(WireWriter.message { $0.int(1, 8) }).reason == .missing("the graph"))
        let noVersion = WireWriter.message { $0.message(7) { _ in } }
        #expect(refusal(noVersion).reason == .missing("the operator set version"))
        let zero = WireWriter.message { model in
            model.message(7) { _ in }
            model.message(8) { $0.int(2, 0) }
        }
        #expect(refusal(zero).reason == .missing("the operator set version"))
        let twice = Model.bytes { _ in } + Model.bytes { _ in }
        #expect(refusal(twice).reason == .duplicate("the graph"))
    }

    @Test("two initializers of one name are refused")
    func duplicateInitializer() {
        let bytes = Model.bytes { graph in
            for _ in 0..<2 {
                graph.message(5) { tensor in
                    tensor.int(2, 1)
                    tensor.bytes(4, [0, 0, 0, 0])
                    tensor.text(8, "w")
                }
            }
        }
        #expect(refusal(bytes).reason == .duplicate("initializer \"w\""))
    }

    @Test("a node needs an operator, an attribute a name, an initializer a name")
    func unnamed() {
        let node = Model.bytes { graph in graph.message(1) { $0.text(3, "n") } }
        #expect(refusal(node).reason == .missing("the operator"))
        #expect(refusal(node).message.contains("node 0 \"n\""))
        #expect(refusal(Model.attribute { $0.int(3, 1) }).reason == .missing("the name"))
        let tensor = Model.bytes { graph in
            graph.message(5) { tensor in
                tensor.int(2, 1)
                tensor.bytes(4, [0, 0, 0, 0])
            }
        }
        #expect(refusal(tensor).reason == .missing("the name of initializer 0"))
    }

    private func node(_ inputs: [String], _ outputs: [String]) -> [UInt8] {
        WireWriter.message { node in
            for input in inputs { node.text(1, input) }
            for output in outputs { node.text(2, output) }
            node.text(4, "Op")
        }
    }

    @Test("a name that nothing gives is named, with the node that reads it")
    func undefined() {
        let bytes = Model.bytes { graph in
            graph.bytes(1, node([], ["a"]))
            graph.bytes(1, node(["a", "", "gone"], ["b"]))
        }
        #expect(refusal(bytes).reason == .undefinedName("gone"))
        #expect(refusal(bytes).message.contains("node 1 Op making \"b\""))
        let output = Model.bytes { graph in graph.message(12) { $0.text(1, "gone") } }
        #expect(refusal(output).reason == .undefinedName("gone"))
    }

    @Test("a cycle is refused, so that a walk through the graph ends")
    func cycle() {
        let bytes = Model.bytes { graph in
            graph.bytes(1, node(["b"], ["a"]))
            graph.bytes(1, node(["a"], ["b"]))
        }
        #expect(refusal(bytes).reason == .undefinedName("b"))
        let own = Model.bytes { graph in graph.bytes(1, node(["a"], ["a"])) }
        #expect(refusal(own).reason == .undefinedName("a"))
    }

    @Test("two nodes may not make one value")
    func twoProducers() {
        let bytes = Model.bytes { graph in
            graph.bytes(1, node([], ["a"]))
            graph.bytes(1, node([], ["a"]))
        }
        #expect(refusal(bytes).reason == .duplicate("value \"a\""))
    }

    // Graphs in graphs

    private func nested(_ depth: Int) -> [UInt8] {
        // Built from the inside: the fields of a graph with one node that holds the graph before.
        var graph: [UInt8] = []
        for _ in 0..<depth {
            let inner = graph
            graph = WireWriter.message { graph in
                graph.message(1) { node in
                    node.text(4, "If")
                    node.message(5) { attribute in
                        attribute.text(1, "then_branch")
                        attribute.bytes(6, inner)
                        attribute.int(20, 5)
                    }
                }
            }
        }
        return Model.bytes { $0.raw(graph) }
    }

    @Test("graphs nest to a bounded depth")
    func nesting() throws {
        #expect(try ONNXModel(bytes: nested(15)).nodes.count == 1)
        #expect(refusal(nested(16)).reason == .tooDeep(limit: 16))
        #expect(refusal(nested(2_000)).reason == .tooDeep(limit: 16))
    }

    @Test("an inner graph sees the names around it; outside, its own are unknown")
    func scopes() throws {
        func model(last: [UInt8]) -> [UInt8] {
            Model.bytes { graph in
                graph.bytes(1, node([], ["outer"]))
                for output in ["x", "y"] {
                    graph.message(1) { node in
                        node.text(2, output)
                        node.text(4, "If")
                        node.message(5) { attribute in
                            attribute.text(1, "then_branch")
                            attribute.message(6) { $0.bytes(1, self.node(["outer"], ["inner"])) }
                        }
                    }
                }
                graph.bytes(1, last)
            }
        }
        #expect(try ONNXModel(bytes: model(last: node(["x", "y"], []))).nodes.count == 4)
        #expect(refusal(model(last: node(["inner"], []))).reason == .undefinedName("inner"))
    }

    @Test("more values than any model has are refused before they cost memory")
    func records() {
        let bytes = Model.attribute { attribute in
            attribute.text(1, "a")
            attribute.bytes(8, [UInt8](repeating: 1, count: (1 << 20) + 1))
        }
        #expect(refusal(bytes).reason == .tooManyRecords(limit: 1 << 20))
        // A node has one operator, the last of those that the file gives it.
        let operators = Model.bytes { graph in
            graph.message(1) { node in for index in 0...1 << 20 { node.text(4, "\(index)") } }
        }
        #expect(refusal(operators).reason == .tooManyRecords(limit: 1 << 20))
    }
}

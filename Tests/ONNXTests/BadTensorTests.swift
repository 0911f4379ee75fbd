import Testing

@testable import ONNX

@Suite("Tensors and attributes that contradict themselves")
struct BadTensorTests {
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

    private let four: [UInt8] = [0, 0, 0, 0]

    @Test("negative, huge and too many dimensions")
    func dimensions() {
        #expect(refusal(Model.tensor(dims: [-1]) { _ in }).reason == .negativeDimension(-1))
        #expect(refusal(Model.tensor(dims: [.min]) { _ in }).reason == .negativeDimension(.min))
        #expect(refusal(Model.tensor(dims: [.max]) { _ in }).reason == .dimensionTooLarge(.max))
        #expect(refusal(Model.tensor(dims: [1 << 31, 0]) { _ in }).reason == .dimensionTooLarge(1 << 31))
        let many = [Int64](repeating: 1, count: 33)
        let reason = refusal(Model.tensor(dims: many) { $0.bytes(9, four) }).reason
        #expect(reason == .tooManyDimensions(limit: 32))
    }

    @Test("dimensions whose product, or product in bits, does not fit 64 bits")
    func overflow() {
        let large = Int64(Int32.max)
        let three = [Int(large), Int(large), Int(large)]
        #expect(
            refusal(Model.tensor(dims: [large, large, large]) { $0.bytes(9, four) }).reason
                == .tooManyElements(dims: three))
        #expect(
            refusal(Model.tensor(dims: [large, large]) { $0.bytes(9, four) }).reason
                == .tooManyElements(dims: [Int(large), Int(large)]))
    }

    @Test("data of another length than the dimensions ask for, in every form")
    func lengths() {
        let short = refusal(Model.tensor(dims: [2, 3]) { $0.bytes(9, [UInt8](repeating: 0, count: 23)) })
        #expect(short.reason == .wrongDataLength(expected: 24, found: 23, unit: "bytes"))
        #expect(short.message.contains("graph, initializer 0, tensor \"w\""))
        let none = refusal(Model.tensor(dims: [1 << 20, 1 << 10]) { _ in })
        #expect(none.reason == .wrongDataLength(expected: 1 << 32, found: 0, unit: "bytes"))
        let scalar = refusal(Model.tensor(dims: []) { _ in })
        #expect(scalar.reason == .wrongDataLength(expected: 4, found: 0, unit: "bytes"))
        let typed = refusal(Model.tensor(dims: [2]) { $0.bytes(4, four) })
        #expect(typed.reason == .wrongDataLength(expected: 2, found: 1, unit: "elements"))
        let more = refusal(Model.tensor(dims: [0]) { $0.bytes(9, four) })
        #expect(more.reason == .wrongDataLength(expected: 0, found: 4, unit: "bytes"))
        let texts = refusal(Model.tensor(dims: [2], type: 8) { $0.text(6, "one") })
        #expect(texts.reason == .wrongDataLength(expected: 2, found: 1, unit: "elements"))
        let ragged = refusal(Model.tensor(dims: [1]) { $0.bytes(4, [0, 0, 0, 0, 0]) })
        #expect(ragged.reason == .unevenPackedLength(length: 5, elementSize: 4))
    }

    @Test("types that ONNX does not have", arguments: [0, 99, -1, .max] as [Int64])
    func elementType(code: Int64) {
        let reason = refusal(Model.tensor(dims: [1], type: code) { $0.bytes(9, four) }).reason
        #expect(reason == .unknownElementType(code))
    }

    @Test("values in the field of another type, or in two fields")
    func fields() {
        let wrong = Model.tensor(dims: [1], type: 7) { $0.bytes(4, four) }
        let both = Model.tensor(dims: [1]) { tensor in
            tensor.bytes(4, four)
            tensor.bytes(9, four)
        }
        let mixed = Model.tensor(dims: [1]) { tensor in
            tensor.bytes(4, four)
            tensor.int(7, 1)
        }
        for bytes in [wrong, both, mixed] {
            guard case .conflictingData = refusal(bytes).reason else {
                Issue.record("\(refusal(bytes).message)")
                continue
            }
        }
    }

    @Test("data in another file and in segments is refused with the tensor's name")
    func leftOut() {
        let external = refusal(Model.tensor(dims: [1]) { $0.int(14, 1) })
        #expect(external.reason == .externalData)
        #expect(external.message.contains("tensor \"w\""))
        let segment = refusal(Model.tensor(dims: [1]) { tensor in tensor.message(3) { $0.int(1, 0) } })
        #expect(segment.reason == .unsupported("a tensor in segments"))
        let sparse = refusal(Model.bytes { graph in graph.message(15) { _ in } })
        #expect(sparse.reason == .unsupported("a sparse initializer"))
    }

    @Test("an attribute that declares one type and holds another, or two")
    func attributes() {
        let other = Model.attribute { attribute in
            attribute.text(1, "pads")
            attribute.int(3, 1)
            attribute.int(20, 7)
        }
        #expect(
            refusal(other).reason == .conflictingData("declared as type 7, holds a value of type 2"))
        #expect(refusal(other).message.contains("graph, node 0 \"n\", attribute \"pads\""))
        let two = Model.attribute { attribute in
            attribute.text(1, "pads")
            attribute.int(3, 1)
            attribute.int(8, 1)
        }
        #expect(refusal(two).reason == .conflictingData("values of more than one type"))
        let unknown = Model.attribute { attribute in
            attribute.text(1, "pads")
            attribute.int(20, 77)
        }
        #expect(refusal(unknown).reason == .unknownAttributeType(77))
        let empty = Model.attribute { attribute in
            attribute.text(1, "value")
            attribute.int(20, 4)
        }
        #expect(refusal(empty).reason == .missing("the tensor"))
    }

    @Test("two attributes of one name are refused, among few and among many", arguments: [0, 6, 7, 40])
    func duplicateAttributes(others: Int) {
        let bytes = Model.bytes { graph in
            graph.message(1) { node in
                node.text(4, "Op")
                for name in ["axis"] + (0..<others).map({ "other\($0)" }) + ["axis"] {
                    node.message(5) { attribute in
                        attribute.text(1, name)
                        attribute.int(3, 1)
                    }
                }
            }
        }
        #expect(refusal(bytes).reason == .duplicate("attribute \"axis\""))
    }

    @Test("an attribute asked for as another type names the node, one that is not there is nil")
    func accessors() throws {
        let model = try ONNXModel(contentsOf: Golden.path("kinds"))
        let node = try #require(model.nodes.last)
        #expect(try node.int("an_int") == -3)
        #expect(try node.float("a_float") == 0.25)
        #expect(try node.string("a_text") == "Grüße")
        #expect(try node.ints("ints") == [1, -2, 1 << 62])
        #expect(try node.floats("floats") == [0.5, -1e-3])
        #expect(try node.ints("dilations") == nil)
        #expect(try node.tensor("value") == nil)
        let error = #expect(throws: ONNXError.self) { try node.ints("an_int") }
        #expect(
            error?.description == "Everything \"all\": attribute \"an_int\" is of type int, expected ints")
    }

    @Test("a number that is 0 may be left out, and files without attribute types are read")
    func defaults() throws {
        let zero = Model.attribute { attribute in
            attribute.text(1, "axis")
            attribute.int(20, 2)
        }
        #expect(try ONNXModel(bytes: zero).nodes[0].int("axis") == 0)
        let untyped = Model.attribute { attribute in
            attribute.text(1, "pads")
            attribute.int(8, 3)
            attribute.bytes(8, [4, 5])
        }
        #expect(try ONNXModel(bytes: untyped).nodes[0].ints("pads") == [3, 4, 5])
    }
}

import Foundation
import Testing

@testable import ONNX

@Suite("Values of tensors")
struct TensorValueTests {
    private func kinds() throws -> ONNXModel { try ONNXModel(contentsOf: Golden.path("kinds")) }

    @Test("every number type, raw and typed, packed, unpacked and in pieces, has the values numpy gives it")
    func values() throws {
        let model = try kinds()
        let expected = try Golden.summary().values
        #expect(expected.count > 30)
        for (name, texts) in expected {
            let tensor = try #require(model.initializer(name))
            #expect(tensor.count == texts.count, "\(name)")
            if ["float", "bfloat", "scalar", "none"].contains(where: name.hasPrefix) {
                #expect(try tensor.floats() == texts.map { try #require(Float($0)) }, "\(name)")
                #expect(throws: ONNXError.self, "\(name)") { try tensor.int64s() }
            } else {
                #expect(try tensor.int64s() == texts.map { try #require(Int64($0)) }, "\(name)")
                #expect(throws: ONNXError.self, "\(name)") { try tensor.floats() }
            }
        }
    }

    @Test("a type that is not asked for is named with its tensor")
    func wrongType() throws {
        let model = try kinds()
        let texts = try #require(model.initializer("texts"))
        let error = #expect(throws: ONNXError.self) { try texts.floats() }
        #expect(error?.description.contains("tensor \"texts\" holds string") == true)
        let nibbles = try #require(model.initializer("nibbles"))
        #expect(throws: ONNXError.self) { try nibbles.int64s() }
        let complex = try #require(model.initializer("complex"))
        #expect(throws: ONNXError.self) { try complex.floats() }
    }

    @Test("NaN, infinities and negative zero come through to the bit")
    func specials() throws {
        let bits: [UInt32] = [0x7FC0_0001, 0x7F80_0000, 0xFF80_0000, 0x8000_0000, 0x0000_0001]
        let raw = bits.flatMap { bits in (0..<4).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) } }
        let model = try ONNXModel(bytes: Model.tensor(dims: [5]) { $0.bytes(9, raw) })
        #expect(try model.initializer("w")?.floats().map(\.bitPattern) == bits)
        let typed = try ONNXModel(bytes: Model.tensor(dims: [5]) { $0.bytes(4, raw) })
        #expect(try typed.initializer("w")?.floats().map(\.bitPattern) == bits)
    }

    @Test("data at every alignment reads the same", arguments: 0..<8)
    func alignment(shift: Int) throws {
        let floats: [Float] = [1, -2, 3.5, 1e-8, 7]
        let raw = floats.withUnsafeBytes { Array($0) }
        let model = try ONNXModel(
            bytes: Model.tensor(dims: [5]) { tensor in
                tensor.text(12, String(repeating: "x", count: shift))
                tensor.bytes(9, raw)
            })
        let tensor = try #require(model.initializer("w"))
        #expect(try tensor.floats() == floats)
    }

    @Test("a buffer of another size is refused, not filled in part")
    func wrongBuffer() throws {
        let model = try kinds()
        let tensor = try #require(model.initializer("float32_raw"))
        var small = [Float](repeating: -1, count: tensor.count - 1)
        #expect(throws: ONNXError.self) {
            try small.withUnsafeMutableBufferPointer { try tensor.copyFloats(into: $0) }
        }
        #expect(small.allSatisfy { $0 == -1 })
    }

    @Test("an unsigned number of 2^63 or more does not become a negative one")
    func unsigned() throws {
        let model = try ONNXModel(bytes: Model.tensor(dims: [1], type: 13) { $0.int(11, -1) })
        let tensor = try #require(model.initializer("w"))
        #expect(
            throws: ONNXError.valueOutOfRange(file: "model", tensor: "w", index: 0, wanted: "int64")
        ) { try tensor.int64s() }
    }

    @Test("a tensor outlives the model it came from")
    func lifetime() throws {
        let expected = try #require(try Golden.summary().files["tiny-medium"]).initializers
        func tensors() throws -> [ONNXTensor] {
            try ONNXModel(contentsOf: Golden.path("tiny-medium")).initializers
        }
        for tensor in try tensors() {
            #expect(try tensor.floats().withUnsafeBytes { CRC32.of($0) } == expected[tensor.name]?.crc)
        }
    }

    @Test("pages that were discarded leave memory and come back with the same values")
    func discard() throws {
        let bytes = try Golden.bytes("tiny-medium")
        // A file of its own: other tests may have the voice mapped too.
        let path = FileManager.default.temporaryDirectory.path + "/discard-\(UUID().uuidString).onnx"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let model = try ONNXModel(contentsOf: path)
        let tensor = try #require(model.initializers.max { $0.count < $1.count })
        try #require(tensor.count * 4 > 3 * 4096)
        let before = try tensor.floats()
        let resident = try #require(residentKilobytes(of: path))
        tensor.discardPages()
        let without = try #require(residentKilobytes(of: path))
        #expect(without <= resident - tensor.count * 4 / 1024 + 8)
        #expect(try tensor.floats() == before)
        model.file.discardPages()
        #expect(residentKilobytes(of: path) == 0)
        #expect(try tensor.floats() == before)
    }

    @Test("part of the values can be copied out of the file, whose pages stay out of memory", arguments: [false, true])
    func copy(isInMemory: Bool) throws {
        let bytes = try Golden.bytes("tiny-medium")
        let path = FileManager.default.temporaryDirectory.path + "/copy-\(UUID().uuidString).onnx"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let model = try isInMemory ? ONNXModel(bytes: bytes) : ONNXModel(contentsOf: path)
        let tensor = try #require(model.initializers.filter(\.isRawFloat32).max { $0.count < $1.count })
        let all = try tensor.floats()
        model.file.discardPages()
        for range in [0..<all.count, 1..<2, all.count / 3..<all.count, 5..<5] {
            var part = [Float](repeating: .nan, count: range.count + 1)
            part.withUnsafeMutableBytes { part in
                if let base = part.baseAddress {
                    tensor.copyBytes(range.lowerBound * 4..<range.upperBound * 4, to: base)
                }
            }
            #expect(part.dropLast() == all[range])
            #expect(part[range.count].isNaN, "what lies behind is left alone")
        }
        if !isInMemory { #expect(residentKilobytes(of: path) == 0) }
    }

    @Test("a model in memory keeps its values when its pages are discarded")
    func discardMemory() throws {
        let model = try ONNXModel(bytes: try Golden.bytes("tiny-medium"))
        let tensor = try #require(model.initializers.max { $0.count < $1.count })
        let before = try tensor.floats()
        tensor.discardPages()
        model.file.discardPages()
        #expect(try tensor.floats() == before)
    }
}

import TestSupport
import Testing

@testable import ONNX

@Suite("Damaged files never crash")
struct DamageTests {
    /// Opens a part of `bytes` without copying it.
    private func open(_ bytes: UnsafeRawBufferPointer) throws(ONNXError) -> ONNXModel {
        try ONNXModel(ModelBytes(borrowing: bytes, name: "damaged"))
    }

    /// Reads all there is to read; what may throw may throw.
    private func exhaust(_ model: ONNXModel) {
        var tensors = model.initializers
        for node in model.nodes {
            _ = node.label
            for input in node.inputs { _ = (input.name, input.producer, input.consumers) }
            for attribute in node.attributes {
                switch attribute.value {
                case .tensor(let tensor): tensors.append(tensor)
                case .tensors(let more): tensors += more
                default: break
                }
            }
        }
        for tensor in tensors {
            _ = try? tensor.floats()
            _ = try? tensor.int64s()
            _ = tensor.withUnsafeBytes { $0.reduce(0) { $0 ^ $1 } }
        }
    }

    @Test("a voice cut at any byte is refused")
    func truncation() throws {
        let bytes = try Golden.bytes("tiny-medium")
        var opened: [Int] = []
        bytes.withUnsafeBytes { all in
            for count in 0..<all.count
            where (try? open(UnsafeRawBufferPointer(rebasing: all[..<count]))) != nil {
                opened.append(count)
            }
        }
        #expect(opened.isEmpty)
    }

    @Test("a graph cut at any byte, with its length put right, opens between its fields or is refused")
    func graphTruncation() throws {
        let bytes = try Golden.bytes("kinds")
        // Field 7 comes first in this file: one byte of tag, two of length.
        try #require(bytes[0] == 0x3A && bytes[1] >= 0x80 && bytes[2] < 0x80)
        let graph = Array(bytes[3..<3 + Int(bytes[1] & 0x7F) + Int(bytes[2]) << 7])
        // All fields of the graph are length-delimited with a tag of one byte.
        var ends: Set<Int> = [0]
        var position = 0
        while position < graph.count {
            let long = graph[position + 1] >= 0x80
            let length = Int(graph[position + 1] & 0x7F) + (long ? Int(graph[position + 2]) << 7 : 0)
            position += length + (long ? 3 : 2)
            ends.insert(position)
        }
        for count in 0...graph.count {
            do throws(ONNXError) {
                exhaust(try ONNXModel(bytes: Model.bytes { $0.raw(Array(graph[..<count])) }))
                #expect(ends.contains(count), "cut to \(count) bytes")
            } catch {
                // Cut between fields, it may still lack a name that a node reads.
                #expect(count < graph.count && "\(error)".hasPrefix("\"model\": "), "\(count): \(error)")
            }
        }
    }

    @Test("random damage to every kind of field", arguments: 1...8 as ClosedRange<UInt64>)
    func mutation(seed: UInt64) throws {
        try mutate("kinds", seed: seed, rounds: 4_000)
    }

    @Test("random damage to the nodes of a voice", arguments: 1...2 as ClosedRange<UInt64>)
    func voiceMutation(seed: UInt64) throws {
        try mutate("tiny-multispeaker", seed: seed, rounds: 500)
    }

    /// Changes some bytes at random and puts them back, many times over.
    private func mutate(_ name: String, seed: UInt64, rounds: Int) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = try Golden.bytes(name)
        let original = bytes
        var refused = 0
        for round in 0..<rounds {
            var touched: [Int] = []
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: bytes.indices, using: &random)
                touched.append(index)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes[index] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
                default: bytes[index] &+= 1
                }
            }
            bytes.withUnsafeBytes { all in
                // What is allocated is a small multiple of the file, or this would run out of memory.
                do throws(ONNXError) {
                    let model = try open(all)
                    if round % 16 == 0 || name == "kinds" { exhaust(model) }
                } catch {
                    refused += 1
                    let message = "\(error)"
                    #expect(!message.contains("\n"), "seed \(seed) round \(round): \(message)")
                }
            }
            for index in touched { bytes[index] = original[index] }
        }
        #expect(refused > 0, "seed \(seed): no damage was noticed")
        #expect(bytes == original)
    }
}

import TestSupport
import Testing

@testable import VITS

@Suite("A voice file that is wrong: its bytes")
struct HostileBytesTests {
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
                try HostileVoice.exercise(VITSModel(bytes: bytes, name: "mutated"))
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

import Foundation

@testable import Phonemes

/// A line of sentences.jsonl or more.jsonl.
struct GoldenCase: Decodable, CustomStringConvertible {
    var voice: String
    var text: String
    var sentences: [String]
    var ids: [[Int]]?

    var description: String { "\(voice): \(text.prefix(60))" }

    /// The sentences in canonical decomposition, scalar by scalar: `String` would take other forms as equal.
    var scalars: [[Unicode.Scalar]] { sentences.map(\.canonicallyDecomposedScalars) }
}

enum Golden {
    static func bytes(_ name: String) throws -> Data {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return try Data(contentsOf: directory.appending(path: "Golden/Phonemes/\(name)"))
    }

    static func cases(_ name: String) throws -> [GoldenCase] {
        try bytes(name).split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(GoldenCase.self, from: Data($0))
        }
    }
}

/// A generator whose seed is known, for tests that print it.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

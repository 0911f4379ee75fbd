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

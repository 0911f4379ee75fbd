import Foundation

/// The stored files that these tests read.
enum Golden {
    static let voiceNames = ["tiny-high", "tiny-low-16k", "tiny-medium", "tiny-multispeaker"]

    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")

    /// The path of a voice, or of the model with every kind of tensor and attribute.
    static func path(_ name: String) -> String {
        folder.appendingPathComponent(name == "kinds" ? "ONNX/kinds.onnx" : "voices/\(name).onnx").path
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(fileURLWithPath: path(name))))
    }

    /// What Python's `onnx` says of them; see Golden/ONNX/make_onnx.py.
    static func summary() throws -> Summary {
        try JSONDecoder().decode(
            Summary.self, from: Data(contentsOf: folder.appendingPathComponent("ONNX/summary.json")))
    }

    struct Summary: Decodable {
        let files: [String: File]
        let values: [String: [String]]

        struct File: Decodable {
            let nodes: Int
            let operators: [String: Int]
            let crc: [String: UInt32]
            let initializers: [String: Initializer]
            let producer: String
            let irVersion: Int
            let opsets: [String: Int]
            let inputs: [String]
            let outputs: [String]
        }

        struct Initializer: Decodable {
            let dims: [Int]
            let sum: Double
            let first: [Float]
            let crc: UInt32
        }
    }
}

/// The CRC-32 of zlib, PNG and Python's `zlib.crc32`.
struct CRC32 {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320 }
    }
    private var state: UInt32 = 0xFFFF_FFFF

    var value: UInt32 { ~state }

    mutating func update(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { state = state >> 8 ^ Self.table[Int(UInt8(truncatingIfNeeded: state) ^ byte)] }
    }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc = CRC32()
        crc.update(bytes)
        return crc.value
    }
}

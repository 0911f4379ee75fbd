import Foundation

struct GoldenMissing: Error { let path: String }

/// A file of raw little-endian float32 from Tests/Golden/DSP.
func golden(_ name: String) throws -> [Float] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Golden/DSP/\(name)")
    guard let data = FileManager.default.contents(atPath: url.path) else {
        throw GoldenMissing(path: url.path)
    }
    return data.withUnsafeBytes { bytes in
        (0..<bytes.count / 4).map { index in
            Float(
                bitPattern: UInt32(
                    littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
        }
    }
}

import Foundation

/// The WAV files that other programs wrote, and what libsndfile hears in them.
struct GoldenWAV: CustomStringConvertible {
    let name: String
    let rate: Int
    let channels: Int
    let encoding: String

    static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Golden/DSP/wav").path

    static let all: [GoldenWAV] = {
        let index = (try? String(contentsOfFile: folder + "/index.txt", encoding: .utf8)) ?? ""
        return index.split(separator: "\n").map { line in
            let words = line.split(separator: " ").map(String.init)
            return GoldenWAV(
                name: words[0], rate: Int(words[1]) ?? 0, channels: Int(words[2]) ?? 0, encoding: words[3])
        }
    }()

    var path: String { "\(Self.folder)/\(name).wav" }
    var samples: [Float] { get throws { try floats(of: "\(Self.folder)/\(name).f32") } }
    var description: String { name }
}

func floats(of path: String) throws -> [Float] {
    let data = try bytes(of: path)
    return data.withUnsafeBytes { raw in
        (0..<(raw.count / 4)).map {
            Float(
                bitPattern: UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
        }
    }
}

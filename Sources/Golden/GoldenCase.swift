import Foundation

/// A reference case: a sentence with its noise given, and what ONNX Runtime computed of it.
///
/// The format is that of `Tests/Golden/make_golden.py`: `case.json` and one little-endian float32
/// file a tensor, `[channels, time]` row-major.
package struct GoldenCase: Sendable {
    package let name: String
    package let ids: [Int]
    /// Noise, length and noise-width scale.
    package let scales: [Float]
    package let speaker: Int
    package let frames: Int
    private let folder: URL
    private let shapes: [String: [Int]]

    private struct Description: Decodable {
        let name: String
        let ids: [Int]
        let scales: [Float]
        let speaker: Int?
        let frames: Int
        let shapes: [String: [Int]]
    }

    /// - Throws: what Foundation says of a missing or malformed `case.json`.
    package init(folder path: String) throws {
        folder = URL(fileURLWithPath: path)
        let data = try Data(contentsOf: folder.appendingPathComponent("case.json"))
        let description = try JSONDecoder().decode(Description.self, from: data)
        guard description.scales.count == 3 else {
            throw GoldenError("\(path)/case.json: expected 3 scales, found \(description.scales.count)")
        }
        name = description.name
        ids = description.ids
        scales = description.scales
        speaker = description.speaker ?? 0
        frames = description.frames
        shapes = description.shapes
    }

    /// Tensor `name` as it is stored, `[channels, time]`.
    package func tensor(_ name: String) throws -> (values: [Float], channels: Int, length: Int) {
        guard let shape = shapes[name] else { throw GoldenError("case \(self.name) has no tensor \(name)") }
        let data = try Data(contentsOf: folder.appendingPathComponent("\(name).f32"))
        let count = shape.reduce(1, *)
        guard data.count == 4 * count else {
            throw GoldenError(
                "\(name).f32 of case \(self.name) has \(data.count) bytes, expected \(4 * count)")
        }
        let values = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            _ = data.copyBytes(to: buffer)
            initialized = count
        }
        let length = shape.last ?? 1
        return (values, count / max(1, length), length)
    }

    /// Tensor `name` with time first, `[time, channels]`.
    package func timeMajor(_ name: String) throws -> [Float] {
        let (values, channels, length) = try tensor(name)
        var result = [Float](repeating: 0, count: values.count)
        for c in 0..<channels {
            for t in 0..<length { result[t * channels + c] = values[c * length + t] }
        }
        return result
    }
}

/// A reference case that cannot be used, in one line.
package struct GoldenError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

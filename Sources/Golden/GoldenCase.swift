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
    /// The voice that the case was made with, as a file's name; nil if it does not say.
    package let voice: String?
    private let folder: URL
    private let shapes: [String: [Int]]

    private struct Description: Decodable {
        let name: String
        let ids: [Int]
        let scales: [Float]
        let speaker: Int?
        let voice: String?
        let frames: Int
        let shapes: [String: [Int]]
    }

    /// - Throws: `GoldenError`.
    package init(folder path: String) throws {
        folder = URL(fileURLWithPath: path)
        let data = try Self.contents(of: "\(path)/case.json")
        let description: Description
        do { description = try JSONDecoder().decode(Description.self, from: data) } catch {
            throw GoldenError("\(path)/case.json is not what make_golden.py writes: \(Self.reason(error))")
        }
        guard description.frames > 0, description.frames <= 1 << 20 else {
            throw GoldenError("\(path)/case.json: frames is \(description.frames), expected 1 to \(1 << 20)")
        }
        guard description.shapes.values.joined().allSatisfy({ (0...1 << 28).contains($0) }) else {
            throw GoldenError("\(path)/case.json: a shape is negative or too large")
        }
        guard description.scales.count == 3 else {
            throw GoldenError("\(path)/case.json: expected 3 scales, found \(description.scales.count)")
        }
        name = description.name
        ids = description.ids
        scales = description.scales
        speaker = description.speaker ?? 0
        frames = description.frames
        voice = description.voice
        shapes = description.shapes
    }

    /// Tensor `name` as it is stored, `[channels, time]`.
    package func tensor(_ name: String) throws -> (values: [Float], channels: Int, length: Int) {
        guard let shape = shapes[name] else { throw GoldenError("case \(self.name) has no tensor \(name)") }
        let data = try Self.contents(of: folder.path + "/\(name).f32")
        let (count, isTooLarge) = shape.reduce((1, false)) { result, size in
            let (product, overflow) = result.0.multipliedReportingOverflow(by: size)
            return (product, result.1 || overflow || product > 1 << 40)
        }
        guard !isTooLarge else { throw GoldenError("case \(self.name): the shape of \(name) is too large") }
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

    private static func contents(of path: String) throws -> Data {
        do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
            let exists = FileManager.default.fileExists(atPath: path)
            throw GoldenError(
                exists ? "cannot read \(path)" : "there is no file \(path)", kind: .missing)
        }
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")) has the wrong type"
        default: "it is not valid JSON"
        }
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
    /// What kind of mistake it is.
    package enum Kind: Sendable { case missing, damaged }

    package let description: String
    package let kind: Kind

    package init(_ description: String, kind: Kind = .damaged) {
        self.description = description
        self.kind = kind
    }
}

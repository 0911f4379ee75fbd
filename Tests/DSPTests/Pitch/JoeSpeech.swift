import Foundation

/// Six seconds of the voice joe, and what Praat measured on them: Tests/Golden/DSP/pitch.
enum JoeSpeech {
    static let sampleRate = 22_050
    static let samples = load()
    /// Praat's F0 at times in seconds; 0 where unvoiced.
    static let pitch = table("joe_f0.csv").compactMap { row -> (seconds: Double, hertz: Double)? in
        guard let seconds = Double(row[0]), let hertz = Double(row[1]) else { return nil }
        return (seconds, hertz)
    }
    /// Praat's medians: samples, median_f0, median_f1, median_f2, median_f3.
    static let summary = Dictionary(
        uniqueKeysWithValues: table("joe_summary.csv").compactMap { row in
            Double(row[1]).map { (String(row[0]), $0) }
        })

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/DSP/pitch")

    private static func load() -> [Float] {
        guard let data = try? Data(contentsOf: folder.appending(path: "joe.raw")) else { return [] }
        return stride(from: 0, to: data.count - 1, by: 2).map { i in
            Float(Int16(bitPattern: UInt16(data[i]) | UInt16(data[i + 1]) << 8)) / 32_768
        }
    }

    private static func table(_ name: String) -> [[Substring]] {
        guard let text = try? String(contentsOf: folder.appending(path: name), encoding: .utf8) else {
            return []
        }
        return text.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
    }
}

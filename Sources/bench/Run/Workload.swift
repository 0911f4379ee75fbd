import Arguments
import Foundation
import Phonemes
import Syrinx

/// What is to be spoken: sentences of ids, from a text or from a file.
struct Workload {
    let voiceName: String
    let modelPath: String
    let sampleRate: Int
    let sentences: [[Int]]
    /// Seconds that a text took to become ids; nil for ids.
    let phonemeSeconds: Double?

    static let text = """
        The quick brown fox jumps over the lazy dog. She had your dark suit in greasy wash water all year, and \
        nobody asked her why. How long does it take until the first word of a sentence is heard?
        """

    static let voiceParameter = Parameter.option(
        "voice", short: "v", as: .path, default: VoiceLibrary.defaultVoice,
        help: "an installed voice, or the path of an .onnx file")
    static let textParameter = Parameter.option(
        "text", as: .text, help: "the text to speak (default: three sentences)")
    static let idsParameter = Parameter.option(
        "ids", as: .path, help: "file of phoneme ids, white space between them, a sentence a line")

    /// - Throws: what is wrong with the voice, the text or the file of ids.
    init(_ arguments: ParsedArguments) throws {
        modelPath = try VoiceLibrary().path(of: arguments[Self.voiceParameter])
        voiceName = URL(fileURLWithPath: modelPath).deletingPathExtension().lastPathComponent
        let configuration = try Voice.configuration(ofModel: modelPath)
        sampleRate = configuration.sampleRate
        if let path = arguments[Self.idsParameter] {
            sentences = try Self.ids(path)
            phonemeSeconds = nil
        } else {
            let reader = try VoiceTextReader(configuration)
            let text = arguments[Self.textParameter] ?? Self.text
            // Once for the library and its dictionaries, once for the time.
            _ = try reader.sentences(of: text)
            let start = ContinuousClock.now
            sentences = try reader.sentences(of: text).flatMap { $0.parts.map(\.encoding.ids) }
            phonemeSeconds = (ContinuousClock.now - start).seconds
        }
        guard !sentences.isEmpty else { throw BenchError("there is nothing to say") }
    }

    private static func ids(_ path: String) throws -> [[Int]] {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw BenchError("cannot read the file of ids \(path)")
        }
        return try text.split(separator: "\n").map { line in
            try line.split(whereSeparator: \.isWhitespace).map { word in
                guard let id = Int(word) else { throw BenchError("\(path): '\(word)' is no phoneme id") }
                return id
            }
        }.filter { !$0.isEmpty }
    }
}

/// What stops a measurement, in one line.
struct BenchError: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

extension Duration {
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

import Arguments
import Foundation
import Phonemes
import Syrinx
import VITS

/// What is to be spoken, and how: a text, or sentences of ids.
struct Workload {
    let voiceName: String
    let modelPath: String
    let sampleRate: Int
    private let source: Source
    private let noiseScale: Double
    private let lengthScale: Double
    private let noiseWidth: Double

    private enum Source {
        case text(String, VoiceTextReader)
        case ids([[Int]])
    }

    static let text = """
        The quick brown fox jumps over the lazy dog. She had your dark suit in greasy wash water all year, and \
        nobody asked her why. How long does it take until the first word of a sentence is heard?
        """

    static let voiceParameter = Parameter.option(
        "voice", short: "v", as: .path, default: VoiceLibrary.defaultVoice,
        help: "an installed voice, or the path of an .onnx file")
    static let textParameter = Parameter.option(
        "text", as: .text, otherwise: "three sentences", help: "the text to speak")
    static let idsParameter = Parameter.option(
        "ids", as: .path,
        help: """
            file of phoneme ids, - for standard input: the numbers that a voice takes for its phonemes, about two \
            for each sound, as `syrinx phonemes --json` prints them; white space between them, a sentence a line
            """)
    private static let noiseScaleParameter = Parameter.option(
        "noise-scale", as: .number(in: 0...10), otherwise: "the voice's", help: "liveliness of the voice")
    private static let noiseWidthParameter = Parameter.option(
        "noise-w", as: .number(in: 0...10), otherwise: "the voice's",
        help: "liveliness of the durations; 0 makes every run equally long")

    static let group = ParameterGroup(
        "What to speak",
        [voiceParameter, textParameter, idsParameter, noiseScaleParameter, noiseWidthParameter])

    /// - Throws: what is wrong with the voice or the file of ids.
    init(_ arguments: ParsedArguments) throws {
        modelPath = try VoiceLibrary().path(of: arguments[Self.voiceParameter])
        voiceName = URL(fileURLWithPath: modelPath).deletingPathExtension().lastPathComponent
        let configuration = try Voice.configuration(ofModel: modelPath)
        sampleRate = configuration.sampleRate
        noiseScale = arguments[Self.noiseScaleParameter] ?? configuration.noiseScale
        noiseWidth = arguments[Self.noiseWidthParameter] ?? configuration.durationNoiseScale
        lengthScale = configuration.lengthScale
        source =
            if let path = arguments[Self.idsParameter] {
                .ids(try Self.ids(path))
            } else {
                .text(arguments[Self.textParameter] ?? Self.text, try VoiceTextReader(configuration))
            }
    }

    func request(_ ids: [Int]) -> SentenceRequest {
        SentenceRequest(
            ids: ids, noiseScale: Float(noiseScale), lengthScale: Float(lengthScale),
            noiseWidth: Float(noiseWidth))
    }

    /// How another process speaks the same: its arguments, and its standard input.
    ///
    /// Ids take that way as they may be too many for an argument, and a file could be left behind.
    var errand: (arguments: [String], input: Data) {
        let scales = ["--voice", modelPath, "--noise-scale", "\(noiseScale)", "--noise-w", "\(noiseWidth)"]
        switch source {
        case .text(let text, _): return (scales + ["--text=\(text)"], Data())
        case .ids(let sentences):
            let lines = sentences.map { $0.map(String.init).joined(separator: " ") + "\n" }
            return (scales + ["--ids", "-"], Data(lines.joined().utf8))
        }
    }

    /// Whether there is a text, so that making its phonemes is part of the work.
    var isText: Bool { if case .text = source { true } else { false } }

    /// The ids of all inferences.
    /// - Throws: `BenchError` where there are none; what is wrong with the phonemizer.
    func sentences() throws -> [[Int]] {
        var reading = try reading()
        var sentences: [[Int]] = []
        while let ids = try reading.next() { sentences.append(ids) }
        guard !sentences.isEmpty else { throw BenchError("there is nothing to say", .badData) }
        return sentences
    }

    /// The inferences one by one; a text becomes ids a sentence at a time, as when it is played.
    func reading() throws -> Reading {
        switch source {
        case .text(let text, let reader): Reading(text: try reader.read(text))
        case .ids(let sentences): Reading(ready: sentences[...])
        }
    }

    struct Reading {
        var text: VoiceTextReader.Reading?
        var ready: ArraySlice<[Int]> = []

        mutating func next() throws -> [Int]? {
            if ready.isEmpty, let sentence = try text?.next() {
                ready = sentence.parts.map(\.encoding.ids)[...]
            }
            return ready.popFirst()
        }
    }

    private static func ids(_ path: String) throws -> [[Int]] {
        let isPiped = path == "-"
        let data =
            isPiped
            ? try? FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data, let text = String(data: data, encoding: .utf8) else {
            throw BenchError("cannot read the file of ids \(isPiped ? "on standard input" : path)", .noInput)
        }
        return try text.split(separator: "\n").map { line in
            try line.split(whereSeparator: \.isWhitespace).map { word in
                guard let id = Int(word) else {
                    throw BenchError("\(isPiped ? "standard input" : path): '\(word)' is no phoneme id", .badData)
                }
                return id
            }
        }.filter { !$0.isEmpty }
    }
}

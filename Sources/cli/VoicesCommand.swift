import Arguments
import Foundation
import Syrinx

/// `syrinx voices`: what is installed.
enum VoicesCommand {
    private static let json = Parameter.flag("json", help: "print JSON")

    static let command = Command(
        name: "voices", summary: "List the installed voices.",
        groups: [ParameterGroup("Output", [json])],
        examples: [Example("syrinx voices --json", "names, languages and speakers, for programs")]
    ) { arguments in
        let library = VoiceLibrary()
        let voices = try library.names.map { try Listing($0, path: library.path(of: $0)) }
        if arguments[json] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .withoutEscapingSlashes, .sortedKeys]
            try StandardStream.print(String(decoding: try encoder.encode(voices), as: UTF8.self))
        } else if voices.isEmpty {
            Terminal.report("no voice in \(library.folders.joined(separator: ", ")); install one with weights/fetch")
        } else {
            for voice in voices { try StandardStream.print(voice.line) }
        }
    }

    /// A voice as its configuration describes it; one that cannot be read is listed with the reason.
    private struct Listing: Encodable {
        let name: String
        let path: String
        var language: String?
        var quality: String?
        var sampleRate: Int?
        var speakers: [String] = []
        var speakerCount = 1
        var isDefault: Bool
        var problem: String?

        init(_ name: String, path: String) throws {
            self.name = name
            self.path = path
            isDefault = name == VoiceLibrary.defaultVoice
            do throws(SpeechError) {
                let configuration = try Voice.configuration(ofModel: path)
                language = configuration.language.code ?? configuration.espeakVoice
                quality = configuration.quality
                sampleRate = configuration.sampleRate
                speakerCount = configuration.speakerCount
                speakers = configuration.speakerIDs.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
            } catch {
                problem = "\(error)"
            }
        }

        var line: String {
            if let problem { return "\(name)\t\(problem)" }
            let count = speakerCount == 1 ? "1 speaker" : "\(speakerCount) speakers"
            return [name, language ?? "?", "\(sampleRate ?? 0) Hz", count, isDefault ? "default" : nil]
                .compactMap(\.self).joined(separator: "\t")
        }
    }
}

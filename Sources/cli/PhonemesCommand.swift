import Arguments
import Foundation
import Phonemes
import Syrinx

/// `syrinx phonemes`: shows what a text becomes before it is spoken.
enum PhonemesCommand {
    private static let espeakVoice = Parameter.option(
        "espeak-voice", as: .text.placeholder("NAME"),
        help: "an espeak-ng voice such as en-us: exactly what Piper's phonemizer gives, with its usual ids")
    private static let voice = Parameter.option(
        "voice", short: "v", as: .voice, otherwise: VoiceLibrary.defaultVoice,
        help: "a voice, whose phonemizer and ids are used")
    private static let json = Parameter.flag(
        "json", help: "print JSON with phonemes and ids, the numbers that a voice takes for them")

    static let command = Command(
        name: "phonemes", summary: "Show the phonemes and ids of a text.",
        groups: [
            ParameterGroup("Text", [TextSource.words, TextSource.file]),
            ParameterGroup("Phonemes", [espeakVoice, voice]),
            ParameterGroup("Output", [json]),
        ],
        exclusions: [[espeakVoice, voice]],
        examples: [Example("syrinx phonemes --espeak-voice en-us --json \"Hello world.\"", "phonemes and ids as JSON")]
    ) { arguments in
        let text = try TextSource.text(arguments)
        let (phonemizer, map) = try source(arguments)
        let listing: PhonemeListing
        do {
            listing = PhonemeListing(try phonemizer.sentences(of: text), map: map)
        } catch let error as PhonemeError {
            throw failure(error, arguments)
        }
        Terminal.noteUnclosedBlock(in: text, phonemizer)
        Terminal.noteSkipped(listing.skipped)
        if arguments[json] {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
            try StandardStream.print(String(decoding: try encoder.encode(listing), as: UTF8.self))
        } else {
            for sentence in listing.sentences { try StandardStream.print(sentence.phonemes) }
        }
    }

    private static func source(_ arguments: ParsedArguments) throws -> (any Phonemizer, PhonemeIDMap) {
        do {
            if let name = arguments[espeakVoice] {
                return (try EspeakPhonemizer(voice: name, clauseJoint: .nothing), .piper)
            }
            let path = try VoiceLibrary().path(of: arguments[voice] ?? VoiceLibrary.defaultVoice)
            let configuration = try Voice.configuration(ofModel: path)
            return (try configuration.phonemizer(), try configuration.phonemeIDMap())
        } catch let error as PhonemeError {
            throw failure(error, arguments)
        }
    }

    /// A name of espeak-ng's that was given here is the user's to correct, one of a voice file is not.
    private static func failure(_ error: PhonemeError, _ arguments: ParsedArguments) -> any Error {
        switch error {
        case .unknownEspeakVoice, .invalidEspeakVoice:
            arguments.isGiven(espeakVoice) ? arguments.usageError("\(error)") : SpeechError.text(error)
        default: SpeechError.text(error)
        }
    }
}

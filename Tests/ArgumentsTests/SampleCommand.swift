import Testing

@testable import Arguments

/// A command with one parameter of every kind, as the tests need them.
enum Sample {
    enum Encoding: String, CaseIterable, Sendable { case s16, s24, f32 }

    static let input = Parameter.argument("IN", as: .path, help: "Audio file, or - for a pipe.")
    static let output = Parameter.optionalArgument("OUT", as: .path, help: "Where it goes.")
    static let rate = Parameter.option(
        "rate", short: "r", as: .integer(in: 1...768_000).placeholder("HERTZ"), otherwise: "the input's",
        help: "Output rate.")
    static let encoding = Parameter.option(
        "encoding", short: "e", as: .choice(Encoding.self), default: .s16, help: "Sample format.")
    static let gain = Parameter.option("gain", short: "g", as: .number(in: -60...60), help: "Decibels.")
    static let floor = Parameter.option("floor", as: .numberOrInfinity, help: "Quietest level.")
    static let title = Parameter.option("title", short: "t", as: .text, help: "Title to write.")
    static let tags = Parameter.options("tag", as: .text, help: "A tag.")
    static let seed = Parameter.option("seed", as: .seed, default: 0, help: "Seed of the dither.")
    static let trim = Parameter.flag("trim", help: "Cut the silence.")
    static let quiet = Parameter.flag("quiet", short: "q", help: "Say nothing.")
    static let verbose = Parameter.flag("verbose", short: "v", help: "Say more.")

    static let command = Command(
        name: "convert", summary: "Convert audio.", discussion: "Reads and writes WAV.",
        groups: [
            ParameterGroup("Arguments", [input, output]),
            ParameterGroup("Format", [rate, encoding, gain, floor]),
            ParameterGroup("Other", [title, tags, seed, trim, quiet, verbose]),
        ],
        exclusions: [[quiet, verbose]],
        examples: [Example("syrinx convert a.wav b.wav --rate 24000", "Resample to 24 kHz:")]
    ) { _ in }

    static let texts = Parameter.arguments("TEXT", as: .text, help: "Text to speak.")
    static let say = Command(
        name: "say", summary: "Speak.",
        groups: [
            ParameterGroup("Arguments", [texts]),
            ParameterGroup(
                "Options",
                [
                    Parameter.option("output", short: "o", as: .path, help: "WAV file."),
                    Parameter.option("voice", as: .text, help: "Voice."),
                    Parameter.option("noise-scale", as: .number(atLeast: 0), help: "Noise."),
                ]),
        ]
    ) { _ in }

    static let program = CommandSet(
        name: "syrinx", version: "1.2.3", summary: "Speech.", commands: [say, command])

    static func parse(_ arguments: String...) throws -> ParsedArguments { try parse(arguments) }

    static func parse(_ arguments: [String], command: Command = command) throws -> ParsedArguments {
        guard case .run(_, let values) = try command.parse(arguments, as: "syrinx \(command.name)") else {
            throw NotARun()
        }
        return values
    }

    struct NotARun: Error {}

    /// The problem that the parser finds in `arguments`, or `nil` when it finds none.
    static func problem(_ arguments: String..., command: Command = command) throws -> UsageError.Problem? {
        do {
            _ = try command.parse(arguments, as: "syrinx \(command.name)")
            return nil
        } catch {
            return error.problem
        }
    }
}

import Testing

@testable import Arguments

@Suite("Mistakes in a command line")
struct MistakeTests {
    @Test(
        "An unknown option is refused with the option that was meant",
        arguments: [
            ("--rat", "--rate"), ("--rte", "--rate"), ("--raet", "--rate"), ("--RATE", "--rate"),
            ("--enc", "--encoding"), ("--encodng=s16", "--encoding"), ("--tirm", "--trim"),
        ])
    func unknownOption(typed: String, meant: String) throws {
        let name = String(typed.prefix { $0 != "=" })
        #expect(try Sample.problem("a", typed, "24000") == .unknownOption(name, suggestion: meant))
    }

    @Test("An unknown option that is like no other gets no suggestion")
    func noSuggestion() throws {
        #expect(try Sample.problem("a", "--frobnicate") == .unknownOption("--frobnicate", suggestion: nil))
        #expect(try Sample.problem("a", "-z") == .unknownOption("-z", suggestion: nil))
        #expect(try Sample.problem("a", "-qz") == .unknownOption("-qz", suggestion: nil))
        #expect(try Sample.problem("a", "---trim") == .unknownOption("---trim", suggestion: "--trim"))
    }

    @Test(
        "A mistyped option is never taken as text to speak, nor as a value",
        arguments: [
            ["-output", "x.wav", "Hello"], ["-ouput", "x.wav", "Hello"], ["-ofile.wav", "Hello"],
            ["—voice", "joe", "Hello"], ["–voice=joe", "Hello"], ["−−voice", "joe", "Hello"],
            ["--voic", "joe", "Hello"], ["Hello", "-voice", "joe"], ["-5"], ["-5 degrees"],
            ["--voice", "--output", "x.wav"], ["-o", "-q"], ["--voice", "-inf"], ["Hello", "--voice"],
            ["--noise-scale", "--", "1"], ["–help"],
        ])
    func typosAreNotText(arguments: [String]) throws {
        #expect(throws: UsageError.self) { try Sample.say.parse(arguments, as: "syrinx say") }
    }

    @Test(
        "What begins with a dash and is like no option is answered with how to give it as text",
        arguments: [
            ["- item"], ["-5"], ["-5 degrees"], ["-o clock"], ["--voice of the mountain"], ["-- item"],
            ["-.5"], ["--- item ---"], ["Hello", "-x"], ["-output in the text"],
        ])
    func dashedText(arguments: [String]) throws {
        let text = try #require(arguments.last)
        #expect(throws: UsageError(command: "syrinx say", problem: .dashedArgument(text, name: "TEXT"))) {
            try Sample.say.parse(arguments, as: "syrinx say")
        }
        let given = Array(arguments.dropLast()) + ["--", text]
        #expect(try Sample.parse(given, command: Sample.say)[Sample.texts] == given.filter { $0 != "--" })
    }

    @Test("The same goes for paths, where it cannot be an option; without a place for it there is no such hint")
    func dashedPath() throws {
        #expect(try Sample.problem("-a.wav", "b") == .dashedArgument("-a.wav", name: "IN"))
        #expect(try Sample.problem("a", "-q/b.wav") == .dashedArgument("-q/b.wav", name: "OUT"))
        #expect(try Sample.problem("a", "b", "-c.wav") == .unknownOption("-c.wav", suggestion: nil))
        let error = UsageError.Problem.dashedArgument("-5 °C\n", name: "TEXT")
        #expect("\(error)" == "unknown option '-5 °C\\n'; if it is the TEXT, write -- before it")
    }

    @Test("Text that only begins with a long dash is text")
    func dialogue() throws {
        let line = "— Voice of the mountain, she said."
        #expect(try Sample.parse([line], command: Sample.say)[Sample.texts] == [line])
    }

    @Test("Wrong dashes are answered with the right ones")
    func wrongDashes() throws {
        #expect(try Sample.problem("a", "-trim") == .wrongDashes("-trim", option: "--trim"))
        #expect(try Sample.problem("a", "—rate", "1") == .wrongDashes("—rate", option: "--rate"))
    }

    @Test("A missing value is named, with what it should be")
    func missingValue() throws {
        #expect(try Sample.problem("a", "--rate") == .missingValue(option: "--rate", placeholder: "HERTZ"))
        #expect(try Sample.problem("a", "-r") == .missingValue(option: "-r", placeholder: "HERTZ"))
        #expect(try Sample.problem("a", "--title", "-x") == .dashedValue(option: "--title", value: "-x"))
    }

    @Test(
        "A bad number is refused: not a number, not finite, out of range, with a comma or a unit",
        arguments: [
            "abc", "", "nan", "inf", "-inf", "-nan", "1e999", "61", "-60.001", "0,5", "3dB", " 3", "--3",
        ])
    func badNumbers(text: String) throws {
        #expect(
            try Sample.problem("a", "--gain=\(text)")
                == .invalidValue(
                    parameter: "--gain", value: text, expectation: "a number from -60 to 60", suggestion: nil)
        )
    }

    @Test("A bad value is answered with the option as it was typed, long or short")
    func typedName() throws {
        let rate = "a whole number from 1 to 768000"
        for arguments in [["a", "-r", "0"], ["a", "-r=0"], ["a", "-qr0"]] {
            let error = #expect(throws: UsageError.self) { try Sample.parse(arguments) }
            #expect(
                error?.problem
                    == .invalidValue(parameter: "-r", value: "0", expectation: rate, suggestion: nil))
        }
        #expect(
            try Sample.problem("a", "--rate", "0")
                == .invalidValue(parameter: "--rate", value: "0", expectation: rate, suggestion: nil))
    }

    @Test("A whole number has neither a fraction nor digits beyond its range")
    func badIntegers() throws {
        for text in ["0", "768001", "24000.0", "24k", "99999999999999999999", "1_000", "٣"] {
            #expect(throws: UsageError.self, "\(text)") { try Sample.parse("a", "--rate", text) }
        }
    }

    @Test("NaN is refused even where infinity is accepted")
    func notANumber() throws {
        #expect(throws: UsageError.self) { try Sample.parse("a", "--floor", "nan") }
    }

    @Test("A word that is not among the choices is answered with them and the nearest")
    func choices() throws {
        #expect(
            try Sample.problem("a", "--encoding", "s61")
                == .invalidValue(
                    parameter: "--encoding", value: "s61", expectation: "s16, s24 or f32", suggestion: "s16"))
    }

    @Test("Repeated options, values of flags, exclusive options and surplus arguments are refused")
    func structure() throws {
        #expect(try Sample.problem("a", "--rate", "1", "-r", "1") == .repeatedOption("--rate"))
        #expect(try Sample.problem("a", "--trim", "--trim") == .repeatedOption("--trim"))
        #expect(try Sample.problem("a", "--trim=yes") == .valueOfFlag("--trim"))
        #expect(try Sample.problem("a", "-q=1") == .valueOfFlag("-q"))
        #expect(try Sample.problem("a", "-q", "-v") == .exclusiveOptions("--quiet", "--verbose"))
        #expect(try Sample.problem("a", "b", "c") == .unexpectedArgument("c", isAny: true))
        let command = Command(name: "voices", summary: "", groups: [ParameterGroup("G", [Sample.quiet])]) { _ in }
        let problem = try Sample.problem("x", command: command)
        #expect(problem == .unexpectedArgument("x", isAny: false))
        #expect(problem?.description == "unexpected argument 'x'; it takes only options")
        #expect(try Sample.problem("a", "--help=x") == .valueOfFlag("--help"))
        #expect(try Sample.problem("--trim") == .missingArgument("IN"))
        #expect(throws: UsageError.self) { try Sample.parse("") }
    }

    @Test("A mistyped, missing or misplaced command is answered with what to write")
    func commands() {
        func problem(_ arguments: String...) -> UsageError.Problem? {
            do {
                _ = try Sample.program.parse(arguments)
                return nil
            } catch {
                return error.problem
            }
        }
        #expect(problem() == .missingCommand(known: ["say", "convert"]))
        #expect(problem("sya", "Hello") == .unknownCommand("sya", suggestion: "say"))
        #expect(problem("Hello world") == .unknownCommand("Hello world", suggestion: nil))
        #expect(problem("help", "convrt") == .unknownCommand("convrt", suggestion: "convert"))
        #expect(problem("--voice", "joe", "say") == .optionBeforeCommand("--voice", command: "syrinx say"))
        #expect(problem("-o=x", "say") == .optionBeforeCommand("-o", command: "syrinx say"))
        #expect(problem("--versoin") == .unknownOption("--versoin", suggestion: "--version"))
    }

    @Test("An error is one line that names the command and ends with status 64")
    func oneLine() throws {
        let error = #expect(throws: UsageError.self) {
            try Sample.program.parse([
                "convert", "a", "--rate", "x\ny\u{2028}\u{1b}[31m" + String(repeating: "z", count: 5000),
            ])
        }
        let line = try #require(error).description
        #expect(line.hasPrefix("syrinx convert: --rate cannot be 'x\\ny\\u{2028}\\u{1b}[31mzz"))
        #expect(line.hasSuffix("expected a whole number from 1 to 768000; see 'syrinx convert --help'"))
        #expect(line.count < 300)
        #expect(!line.contains { $0.isNewline || $0 == "\u{1b}" })
        #expect(error?.exitStatus.rawValue == 64)
    }

    @Test("An error reads as a sentence that says what to do")
    func wording() throws {
        let error = #expect(throws: UsageError.self) {
            try Sample.program.parse(["convert", "--rat=3", "a"])
        }
        #expect(
            error?.description
                == "syrinx convert: unknown option --rat (did you mean --rate?); see 'syrinx convert --help'")
    }
}

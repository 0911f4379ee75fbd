import Testing

@testable import Arguments

@Suite("Parsing a command line")
struct ParsingTests {
    @Test("A long option takes the next argument or what follows its equals sign")
    func longOptions() throws {
        for arguments in [["a", "--rate", "24000"], ["a", "--rate=24000"], ["--rate=24000", "a"]] {
            let values = try Sample.parse(arguments)
            #expect(values[Sample.rate] == 24000, "\(arguments)")
            #expect(values[Sample.input] == "a", "\(arguments)")
        }
    }

    @Test("A short option takes the next argument, what follows its equals sign, or a number joined to it")
    func shortOptions() throws {
        for arguments in [["a", "-r", "8000"], ["a", "-r=8000"], ["a", "-r8000"], ["-qr", "8000", "a"]] {
            #expect(try Sample.parse(arguments)[Sample.rate] == 8000, "\(arguments)")
        }
    }

    @Test("Flags are false unless given, and short flags may be joined")
    func flags() throws {
        let none = try Sample.parse("a")
        #expect(!none[Sample.trim] && !none[Sample.quiet])
        let some = try Sample.parse("a", "--trim", "-q")
        #expect(some[Sample.trim] && some[Sample.quiet] && !some[Sample.verbose])
    }

    @Test("An option that is left out is nil, its default, or empty")
    func absentOptions() throws {
        let values = try Sample.parse("a")
        #expect(values[Sample.rate] == nil)
        #expect(values[Sample.encoding] == .s16)
        #expect(values[Sample.tags] == [])
        #expect(values[Sample.output] == nil)
        #expect(!values.isGiven(Sample.encoding))
        #expect(try Sample.parse("a", "--encoding", "s16").isGiven(Sample.encoding))
    }

    @Test("A negative number is the value of an option that takes numbers")
    func negativeNumbers() throws {
        for (text, expected) in [("-3", -3), ("-.5", -0.5), ("-1e1", -10), ("-0", 0)] as [(String, Double)] {
            #expect(try Sample.parse("a", "--gain", text)[Sample.gain] == expected)
            #expect(try Sample.parse("a", "-g", text)[Sample.gain] == expected)
            #expect(try Sample.parse("a", "-g\(text)")[Sample.gain] == expected)
        }
        #expect(try Sample.parse("a", "--floor", "-inf")[Sample.floor] == -.infinity)
    }

    @Test("A negative number is a positional argument only where a number is due")
    func negativePositional() throws {
        let offset = Parameter.argument("OFFSET", as: .integer(), help: "")
        let command = Command(name: "seek", summary: "", groups: [ParameterGroup("Arguments", [offset])]) {
            _ in
        }
        #expect(try Sample.parse(["-5"], command: command)[offset] == -5)
        #expect(try Sample.problem("-5") == .unknownOption("-5", suggestion: nil))
    }

    @Test("A lone dash is a value and a positional argument")
    func loneDash() throws {
        let values = try Sample.parse("-", "-", "--title", "-")
        #expect(values[Sample.input] == "-")
        #expect(values[Sample.output] == "-")
        #expect(values[Sample.title] == "-")
    }

    @Test("Nothing after -- is an option")
    func endOfOptions() throws {
        let values = try Sample.parse("--trim", "--", "--rate", "--help")
        #expect(values[Sample.input] == "--rate")
        #expect(values[Sample.output] == "--help")
        #expect(values[Sample.rate] == nil)
        let say = try Sample.parse(["--", "--", "-x"], command: Sample.say)
        #expect(say[Sample.texts] == ["--", "-x"])
    }

    @Test("A value may hold equals signs, be empty, or begin with dashes after an equals sign")
    func oddValues() throws {
        #expect(try Sample.parse("a", "--title=b=c")[Sample.title] == "b=c")
        #expect(try Sample.parse("a", "--title=")[Sample.title] == "")
        #expect(try Sample.parse("a", "--title", "")[Sample.title] == "")
        #expect(try Sample.parse("a", "--title=--trim")[Sample.title] == "--trim")
    }

    @Test("An option that may be repeated keeps its values in order")
    func repeatedOptions() throws {
        #expect(try Sample.parse("--tag", "b", "a", "--tag=a")[Sample.tags] == ["b", "a"])
    }

    @Test("The last positional argument may take all that remain")
    func remainingArguments() throws {
        let values = try Sample.parse(["one", "--voice", "joe", "two"], command: Sample.say)
        #expect(values[Sample.texts] == ["one", "two"])
        #expect(try Sample.parse([], command: Sample.say)[Sample.texts] == [])
    }

    @Test("Every seed of 64 bits is accepted and none beyond")
    func seeds() throws {
        #expect(try Sample.parse("a", "--seed", "18446744073709551615")[Sample.seed] == .max)
        for bad in ["18446744073709551616", "-1", "1.0", "x"] {
            #expect(throws: UsageError.self, "\(bad)") { try Sample.parse("a", "--seed", bad) }
        }
    }

    @Test("Commands are found by name, and their arguments follow")
    func commands() throws {
        guard case .run(let command, let values) = try Sample.program.parse(["convert", "a", "b"]) else {
            Issue.record("not a run")
            return
        }
        #expect(command.name == "convert")
        #expect(values[Sample.output] == "b")
    }
}

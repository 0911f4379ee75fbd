import Testing

@testable import Arguments

@Suite("Help")
struct HelpTests {
    private func help(_ arguments: String...) throws -> String {
        guard case .help(let text) = try Sample.program.parse(arguments) else {
            Issue.record("no help for \(arguments)")
            return ""
        }
        return text
    }

    @Test("The help of a command is grouped and aligned, with defaults and examples")
    func commandHelp() throws {
        #expect(
            try help("convert", "--help") == """
                Convert audio.

                Usage: syrinx convert [OPTIONS] IN [OUT]

                Reads and writes WAV.

                Arguments:
                  IN                          Audio file, or - for a pipe.
                  OUT                         Where it goes.

                Format:
                  -r, --rate HERTZ            Output rate. (1 to 768000; default: the input's)
                  -e, --encoding s16|s24|f32  Sample format. (default: s16)
                  -g, --gain X                Decibels. (-60 to 60)
                      --floor X               Quietest level.

                Other:
                  -t, --title TEXT            Title to write.
                      --tag TEXT              A tag. (may be repeated)
                      --seed N                Seed of the dither. (0 to 18446744073709551615;
                                              default: 0)
                      --trim                  Cut the silence.
                  -q, --quiet                 Say nothing.
                  -v, --verbose               Say more.

                Help:
                  -h, --help                  show this help

                Examples:
                  Resample to 24 kHz:
                    syrinx convert a.wav b.wav --rate 24000

                """)
    }

    @Test("The help of the program lists its commands")
    func programHelp() throws {
        let expected = """
            Speech.

            Usage: syrinx COMMAND [OPTIONS] …

            Commands:
              say         Speak.
              convert     Convert audio.

            Options:
              -h, --help  show this help; 'syrinx COMMAND --help' shows a command's
              --version   show the version

            """
        #expect(try help("--help") == expected)
        #expect(try help("-h") == expected)
        #expect(try help("help") == expected)
    }

    @Test("Help wins over every mistake, but not after --")
    func helpWins() throws {
        let expected = try help("help", "convert")
        #expect(try help("convert", "--bogus", "-h") == expected)
        #expect(try help("convert", "--rate", "--help") == expected)
        #expect(throws: UsageError.self) { try Sample.program.parse(["convert", "--", "a", "b", "--help"]) }
    }

    @Test("No line of the help is wider than asked for, and no word is lost", arguments: [40, 60, 80, 120])
    func width(width: Int) {
        let long = (1...60).map { "word\($0)" }.joined(separator: " ")
        let command = Command(
            name: "x", summary: long, discussion: long,
            groups: [ParameterGroup("G", [Parameter.flag("flag", help: long)])]
        ) { _ in }
        let page = command.help(as: "p x", width: width)
        for line in page.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
        let words = page.split { $0.isWhitespace }
        #expect(words.filter { $0 == "word60" }.count == 3)
    }

    @Test("A range is not divided between two lines", arguments: Array(40...80))
    func unbroken(width: Int) {
        let number = Parameter.option("n", as: .number(in: 0.5...2), default: 1, help: "one two three four five six")
        let command = Command(name: "x", summary: "", groups: [ParameterGroup("G", [number])]) { _ in }
        let page = command.help(as: "p x", width: width)
        #expect(page.contains("0.5 to 2;") && !page.contains("\u{A0}"), "\(page)")
    }

    @Test("The help tells the same limits as a refusal")
    func limits() throws {
        let numbers: [(parser: ValueParser<Double>, limits: String, refused: String)] = [
            (.number(in: 0.5...2), "0.5 to 2", "3"), (.number(atLeast: 1), "1 or more", "0"),
            (.number(above: 0), "above 0", "0"),
        ]
        let option = Parameter.option("n", as: ValueParser<Int>.integer(atLeast: 2), help: "How many.")
        try check(option, "2 or more", refused: "1")
        for (parser, limits, refused) in numbers {
            try check(Parameter.option("n", as: parser, help: "How many."), limits, refused: refused)
        }
        // Of a choice, the words; where they are in the placeholder, nowhere else.
        let words = ValueParser<Sample.Encoding>.choice()
        let named = Parameter.option("n", as: words.placeholder("NAME"), help: "How many.")
        try check(named, "s16, s24 or f32", refused: "x")
        let command = Command(
            name: "x", summary: "", groups: [ParameterGroup("G", [Parameter.option("n", as: words, help: "H.")])]
        ) { _ in }
        #expect(!command.help(as: "x").contains("s24 or"))
    }

    private func check(_ parameter: any AnyParameter, _ limits: String, refused: String) throws {
        let command = Command(name: "x", summary: "", groups: [ParameterGroup("G", [parameter])]) { _ in }
        #expect(command.help(as: "x").contains(" How many. (\(limits))\n"))
        let problem = try #require(try Sample.problem("--n", refused, command: command))
        #expect("\(problem)".contains(limits), "\(problem)")
    }

    @Test("The version is the program's name and number")
    func version() throws {
        guard case .version(let text) = try Sample.program.parse(["--version"]) else {
            Issue.record("no version")
            return
        }
        #expect(text == "syrinx 1.2.3")
    }
}

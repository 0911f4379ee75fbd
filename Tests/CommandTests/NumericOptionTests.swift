import Foundation
import Testing

@Suite("Numeric options")
struct NumericOptionTests {
    /// Programs, their commands, and the positional arguments that these ask for.
    private static let commands: [(String, String, [String])] = [
        ("syrinx", "say", []), ("syrinx", "play", ["a"]), ("syrinx", "convert", ["a", "b"]),
        ("tts-bench", "run", []), ("tts-bench", "golden", ["a", "b"]), ("tts-bench", "first-audio", []),
        ("tts-bench", "resample", []),
    ]

    /// The options of a command's help that take a number: short name, long name.
    private func options(_ program: String, _ command: String) throws -> [(short: String?, long: String)] {
        let help = String(decoding: try Shell.run(["help", command], program: program).output, as: UTF8.self)
        return help.matches(of: /(?m)^ +(?:(-\w), )?(--[\w-]+) (?:N|X|HERTZ|SECONDS|RATIO|DB|LUFS)(?: |$)/)
            .map {
                ($0.1.map(String.init), String($0.2))
            }
    }

    @Test(
        "A value that cannot be is answered with the option as typed, the value and the range",
        arguments: commands)
    func refusals(program: String, command: String, positionals: [String]) throws {
        let options = try options(program, command)
        #expect(options.count >= (command == "first-audio" ? 3 : 2), "\(options)")
        for option in options {
            for name in [option.long] + [option.short].compactMap(\.self) {
                for value in ["-1e9", "1e30", "x", "nan", "inf", ""] {
                    let result = try Shell.run([command, "\(name)=\(value)"] + positionals, program: program)
                    let line = "\(program) \(command): \(name) cannot be '\(value)', expected a "
                    #expect(result.status == 64 && result.errors.hasPrefix(line), "\(result.errors)")
                    #expect(result.errors.contains(/number from [-0-9.]+ to [0-9.]+;/), "\(result.errors)")
                    #expect(result.errors.filter { $0 == "\n" }.count == 1)
                }
            }
        }
    }

    @Test("The help of an option tells the range that a refusal tells", arguments: commands)
    func ranges(program: String, command: String, positionals: [String]) throws {
        let help = String(decoding: try Shell.run(["help", command], program: program).output, as: UTF8.self)
        let words = help.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        for option in try options(program, command) {
            let refusal = try Shell.run([command, "\(option.long)=x"] + positionals, program: program).errors
            let range = try #require(refusal.firstMatch(of: /number from ([-0-9.]+ to [0-9.]+);/), "\(refusal)")
            let entry = try #require(words.range(of: "\(option.long) "))
            let text = words[entry.upperBound...].prefix { $0 != ")" }
            #expect(text.contains("(\(range.1)"), "\(option.long): \(text)")
        }
    }

    @Test("Numbers that do not fit each other are answered with their options")
    func combinations() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (one, two) = (
            folder.appendingPathComponent("1.wav").path, folder.appendingPathComponent("2.wav").path
        )
        #expect(try Shell.run(["say", "", "-o", one]).status == 0)
        #expect(try Shell.run(["convert", one, two, "--channels", "2"]).status == 0)
        let out = folder.appendingPathComponent("out.wav").path
        let cases: [(String, [String], String)] = [
            ("syrinx", ["convert", one, out, "--rate", "1"], "--rate 1: "),
            ("syrinx", ["convert", two, out, "--channels", "3"], "--channels 3: "),
            ("syrinx", ["convert", two, out, "--pitch", "1.5"], "--pitch 1.5: "),
            ("syrinx", ["convert", two, out, "--tempo", "1.5"], "--channels 1;"),
            ("tts-bench", ["resample", "--from", "1000", "--to", "768000"], "--from 1000, --to 768000: "),
            ("syrinx", ["say", "hi", "--strategy", "buffered:3601"], "0 to 3600"),
        ]
        for (program, arguments, words) in cases {
            let result = try Shell.run(arguments, program: program)
            #expect(result.status == 64 && result.errors.contains(words), "\(arguments): \(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
        }
    }
}

import Foundation
import Glibc
import Testing

@Suite("On a terminal")
struct TerminalTests {
    @Test("Sound is not poured on a screen: one line says to redirect it")
    func noSound() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.wav").path
        #expect(try Shell.run(["say", "[[ hˈaɪ ]]", "-o", file]).status == 0)
        for arguments in [
            ["say", "hi", "-o", "-"], ["say", "hi", "--save", "-"], ["convert", file, "-"],
            ["convert", file, "-", "--raw"],
        ] {
            let (terminal, errors) = (try PseudoTerminal(), Pipe())
            let process = try Shell.start(arguments, output: terminal.handle, errors: errors)
            let shown = try terminal.output(until: process)
            let line = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            #expect(process.terminationStatus == 64 && shown == "", "\(arguments): \(line)")
            #expect(line.contains("standard output is a terminal") && line.contains("redirect it"))
            #expect(line.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test("say -o shows how much is made and how fast, and wipes that away; -o - and a dumb terminal show nothing")
    func progress() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let text = devices.path("text.txt")
        try Data(String(repeating: "This is one of some sentences that take a while. ", count: 30).utf8)
            .write(
                to: URL(fileURLWithPath: text))
        for (output, kind) in [(devices.path("out.wav"), "xterm"), (devices.path("out.wav"), "dumb"), ("-", "xterm")] {
            let terminal = try PseudoTerminal()
            let process = try Shell.start(
                ["say", "-f", text, "-o", output, "--threads", "1"], errors: terminal.handle,
                environment: ["TERM": kind])
            let shown = try terminal.output(until: process)
            #expect(process.terminationStatus == 0)
            guard output != "-", kind != "dumb" else {
                #expect(shown == "")
                continue
            }
            let wipe = "\r\u{1b}[K"
            #expect(shown.hasPrefix(wipe) && shown.hasSuffix(wipe))
            let lines = shown.components(separatedBy: wipe).filter { !$0.isEmpty }
            #expect(lines.count >= 2)
            for line in lines {
                #expect(
                    line.wholeMatch(of: /\d+ %  \d+:\d\d\.\d made  \d+\.\d × real time/) != nil, "\(line)")
            }
            let parts = lines.compactMap { Int($0.prefix { $0.isNumber }) }
            #expect(parts == parts.sorted() && Set(parts).count > 1)
        }
    }

    /// What is shown on so many columns. The last one stays free.
    private static let narrowLines: [(option: String, columns: UInt16, pattern: String)] = [
        ("-o", 80, #"\d+ %  \d+:\d\d\.\d made  \d+\.\d × real time"#), ("-o", 25, #"\d+ %  \d+:\d\d\.\d made"#),
        ("-o", 10, #"\d+ %"#), ("-o", 3, #"\d[\d ]"#), ("-o", 1, ""),
        ("--save", 80, #"\d+:\d\d\.\d  ready \d+ %  lead -?\d+\.\d s  RTF \d+\.\d\d(?:  underruns \d+)?"#),
        ("--save", 24, #"\d+:\d\d\.\d  ready \d+ %"#), ("--save", 11, #"\d+:\d\d\.\d"#), ("--save", 5, #"\d+:\d*"#),
    ]

    @Test("On a narrow terminal the progress line loses its less important parts, and never fills the width")
    func narrow() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let text = devices.path("text.txt")
        try Data(String(repeating: "This is one of many sentences. ", count: 5000).utf8).write(
            to: URL(fileURLWithPath: text))
        for (option, columns, pattern) in Self.narrowLines {
            let expected = try Regex(pattern)
            let terminal = try PseudoTerminal(columns: columns)
            let process = try Shell.start(
                ["say", "-f", text, option, devices.path("out.wav")], errors: terminal.handle,
                environment: devices.environment)
            let wipe = "\r\u{1b}[K"
            let before = try terminal.output(untilIt: { $0.components(separatedBy: wipe).count > 3 })
            kill(process.processIdentifier, SIGINT)
            let shown = before + (try terminal.output(until: process))
            #expect(process.terminationStatus == 130)
            let lines = shown.components(separatedBy: wipe).dropFirst().dropLast()
            #expect(lines.count >= 3)
            for line in lines {
                #expect(line.count < columns, "\(option) \(columns): \(line)")
                #expect(line.wholeMatch(of: expected) != nil, "\(option) \(columns): '\(line)'")
            }
        }
    }

    @Test("What a name holds reaches the terminal as text, not as a command, and as one line")
    func controlCharacters() throws {
        let result = try Shell.run(["say", "hi", "--voice", "no\u{1b}[31m\r\n\u{85}\u{2028}name", "-o", "-"])
        #expect(result.status == 69 && result.errors.contains("no voice named no [31m"), "\(result.errors)")
        let scalars = result.errors.unicodeScalars.dropLast()
        #expect(scalars.allSatisfy { $0.properties.generalCategory != .control && $0 != "\u{2028}" })
    }

    @Test("An interruption wipes the line away before it says so")
    func interruption() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let text = devices.path("text.txt")
        try Data(String(repeating: "This is one of many sentences. ", count: 5000).utf8).write(
            to: URL(fileURLWithPath: text))
        for option in ["-o", "--save"] {
            let terminal = try PseudoTerminal()
            let process = try Shell.start(
                ["say", "-f", text, option, devices.path("out.wav")], errors: terminal.handle,
                environment: devices.environment)
            let before = try terminal.output(untilIt: { $0.contains("%") })
            kill(process.processIdentifier, SIGINT)
            let shown = before + (try terminal.output(until: process))
            #expect(process.terminationStatus == 130)
            #expect(shown.contains("%") && shown.hasSuffix("\r\u{1b}[Ksyrinx: stopped\r\n"), "\(shown)")
        }
    }
}

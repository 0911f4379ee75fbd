import Foundation
import Glibc
import Testing

@Suite("Playing at a shell")
struct PlayTests {
    private let text = "A first sentence. And a second one."

    @Test(
        "say plays what -o writes, and --save keeps it: the same samples at the same seed",
        arguments: ["auto", "stream", "buffered:0.5", "generate-first"])
    func sameSamples(strategy: String) throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let options = [text, "--seed", "5", "--sample-rate", "24000", "--volume", "1.5", "--pitch", "1.1"]
        let saved = devices.path("saved.wav")
        let played = try Shell.run(
            ["say"] + options + ["--strategy", strategy, "--save", saved], environment: devices.environment)
        #expect(played.status == 0, "\(played.errors)")
        // No progress line and no other word in a pipe.
        #expect(played.errors == "" && played.output.isEmpty)
        let written = devices.path("written.wav")
        #expect(try Shell.run(["say"] + options + ["-o", written]).status == 0)
        let file = try Data(contentsOf: URL(fileURLWithPath: written))
        #expect(try Data(contentsOf: URL(fileURLWithPath: saved)) == file)
        let heard = try devices.heardAsInt16()
        #expect(heard.count > 24_000)
        // This device has played what it is given at once, so only a whole is without gaps.
        if strategy == "generate-first" { #expect(heard == samples(file)) }
        #expect(try Shell.run(["say"] + options + ["-o", "-"]).output.dropFirst(44) == file.dropFirst(44))
    }

    @Test("Without a sound device there is one line that names the ways out, -o among them, and exit code 69")
    func noDevice() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        for arguments in [["say", "Hello."], ["say", "Hello.", "--device", "nosuch"]] {
            let result = try Shell.run(arguments, environment: devices.noDevices)
            #expect(result.status == 69)
            #expect(result.errors.contains("-o FILE") && result.errors.contains("with --device"), "\(result.errors)")
            // A server helps where a server was asked for.
            #expect(result.errors.contains("start a sound server") == !arguments.contains("nosuch"), "\(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test("A device that writes to a full disk is output that cannot be written: exit code 74")
    func fullDisk() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let file = devices.path("hello.wav")
        #expect(try Shell.run(["say", "[[ hˈaɪ ]]", "-o", file]).status == 0)
        for arguments in [["say", "[[ hˈaɪ ]]"], ["play", file]] {
            let result = try Shell.run(arguments + ["--device", "full"], environment: devices.environment)
            #expect(result.status == 74 && result.errors.contains("make room"), "\(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test("Advice names no option that the command does not have")
    func advice() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let file = devices.path("hello.wav")
        #expect(try Shell.run(["say", "[[ hˈaɪ ]]", "-o", file]).status == 0)
        let lines = [
            ["say", "[[ hˈaɪ ]]"], ["say", "[[ hˈaɪ ]]", "--device", "nosuch"], ["play", file],
            ["play", file, "--device", "nosuch"], ["play", "--raw", "--encoding", "u8", file],
            ["play", file, "--device", "file"],
        ]
        for arguments in lines {
            let result = try Shell.run(arguments, environment: devices.noDevices)
            #expect(result.status == 69, "\(arguments): \(result.errors)")
            #expect(result.errors.contains("--device") && result.errors.filter { $0 == "\n" }.count == 1)
            let help = String(decoding: try Shell.run(["help", arguments[0]]).output, as: UTF8.self)
            let options = Set(
                help.matches(of: /(?m)^ +(-\w), (--[\w-]+)|^ +(--[\w-]+)/).flatMap { match in
                    [match.1, match.2, match.3].compactMap { $0.map(String.init) }
                })
            #expect(options.contains("--device") && options.contains("--help"))
            for option in result.errors.matches(of: /\s(-{1,2}[a-z][\w-]*)/).map({ String($0.1) }) {
                #expect(options.contains(option), "\(arguments): \(option) in \(result.errors)")
            }
        }
    }

    @Test("Where aplay -L is named, so is the package that it comes with")
    func listingDevices() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let texts = try ["say", "play"].flatMap { command in
            [
                String(decoding: try Shell.run(["help", command]).output, as: UTF8.self),
                try Shell.run(
                    command == "say" ? ["say", "[[ hˈaɪ ]]"] : ["play", "--raw", devices.path("asound.conf")],
                    environment: devices.noDevices
                ).errors,
            ]
        }
        for text in texts { #expect(text.contains("alsa-utils"), "\(text)") }
        #expect(texts.allSatisfy { $0.contains("aplay -L") })
        let readme = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("README.md")
        for line in try String(contentsOf: readme, encoding: .utf8).split(separator: "\n")
        where line.contains("aplay -L") {
            #expect(line.contains("alsa-utils"), "\(line)")
        }
    }

    @Test("play gives a WAV file's frames to the device as they are: what is heard is what was saved")
    func wav() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let file = devices.path("hello.wav")
        #expect(try Shell.run(["say", text, "--seed", "1", "-o", file]).status == 0)
        let result = try Shell.run(["play", file], environment: devices.environment)
        #expect(result.status == 0, "\(result.errors)")
        let expected = samples(try Data(contentsOf: URL(fileURLWithPath: file)))
        let heard = try devices.heardAsInt16()
        #expect(heard == expected)
    }

    @Test("play takes raw samples as cloud services return them, also as Base64 through a pipe")
    func raw() throws {
        let pcm: [Int16] = (0..<24_000).map { Int16(($0 * 37) % 20_000 - 10_000) }
        let bytes = pcm.withUnsafeBufferPointer { Data(buffer: $0) }
        for (input, extra) in [(bytes, []), (Data(bytes.base64EncodedString().utf8), ["--base64"])] {
            let devices = try SoundDevices()
            defer { devices.remove() }
            let result = try Shell.run(
                ["play", "--raw", "--rate", "24000", "--encoding", "s16", "-"] + extra, input: input,
                environment: devices.environment)
            #expect(result.status == 0, "\(result.errors)")
            let heard = try devices.heardAsInt16()
            #expect(heard == pcm)
        }
    }

    @Test("Damaged Base64 is played as far as it goes, and told in one line, with exit code 65")
    func damagedBase64() throws {
        let pcm: [Int16] = (0..<30_000).map { Int16(($0 * 37) % 20_000 - 10_000) }
        let bytes = pcm.withUnsafeBufferPointer { Data(buffer: $0) }
        let text = bytes.base64EncodedString()
        // Two samples are 4 bytes, which 6 digits hold.
        let cases: [(text: String, samples: Int, words: String)] = [
            (String(text.prefix(40_001)), 15_000, "offset 40001; the text was cut"),
            (text.prefix(40_000) + "*" + text.dropFirst(40_001), 15_000, "byte 0x2a at offset 40000"),
            (text.prefix(46) + "*", 17, "offset 46"), ("QUI\n!", 1, "offset 4"), ("QUI=QUI=", 1, "offset 4"),
            (text.prefix(43) + "\u{e9}", 16, "offset 43"), ("QUJDREU", 2, ""),
            ("QUJDRA=", 2, "offset 7; the text was cut"),
        ]
        for (text, count, words) in cases {
            let devices = try SoundDevices()
            defer { devices.remove() }
            let result = try Shell.run(
                ["play", "--raw", "--encoding", "s16", "--base64", "-"], input: Data(text.utf8),
                environment: devices.environment)
            let isDamaged = !words.isEmpty
            #expect(result.status == (isDamaged ? 65 : 0), "\(words): \(result.errors)")
            #expect(result.errors.contains(isDamaged ? words : "cut short"), "\(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1 && result.output.isEmpty)
            #expect(try devices.heard().count == count, "\(words)")
        }
    }

    @Test("Where nothing can be decoded, nothing is played, and the line and exit code are the same")
    func nothingDecoded() throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        for text in ["A", "*AAAA", "="] {
            let result = try Shell.run(
                ["play", "--raw", "--base64", "-"], input: Data(text.utf8), environment: devices.environment)
            #expect(result.status == 65 && result.errors.contains("offset"), "\(text): \(result.errors)")
            #expect(result.errors.hasPrefix("syrinx: standard input: "), "\(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
            let file = devices.path("reply.txt")
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let named = try Shell.run(["play", "--raw", "--base64", file], environment: devices.environment)
            #expect(named.status == 65 && named.errors.hasPrefix("syrinx: \(file): "), "\(named.errors)")
        }
    }

    @Test(
        "A mistake is one line with its exit code",
        arguments: [
            (["play", "/nowhere/x.wav"], 66, "/nowhere/x.wav"), (["play", "--rate", "8000", "x.wav"], 64, "--raw"),
            (["play", "/dev/null"], 65, "/dev/null"), (["play"], 64, "FILE"),
            (["say", "hi", "--strategy", "soon"], 64, "generate-first"),
            (["say", "hi", "--strategy", "buffered:-1"], 64, "buffered:SECONDS"),
            (["say", "hi", "-o", "x.wav", "--save", "y.wav"], 64, "--save"),
            (["say", "hi", "--pitch", "3"], 64, "--pitch"),
            (["say", "hi", "--language", "de"], 64, "en"),
            (["say", "hi", "--language", "english"], 64, "such as en or en_US"),
            (["say", "hi", "--crossfade", "0.1", "--sentence-silence", "1"], 64, "--crossfade"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let result = try Shell.run(arguments, environment: devices.environment)
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test(
        "Ctrl-C ends say with exit code 130, a hang-up with 129, a request to end with 143; none leaves a file",
        arguments: [(SIGINT, 130), (SIGHUP, 129), (SIGTERM, 143)] as [(Int32, Int32)])
    func interruption(signal: Int32, status: Int32) throws {
        let devices = try SoundDevices()
        defer { devices.remove() }
        let text = devices.path("long.txt")
        try Data(String(repeating: "This is one of many sentences. ", count: 2000).utf8).write(
            to: URL(fileURLWithPath: text))
        for arguments in [["-o", devices.path("x.wav")], ["--save", devices.path("x.wav")]] {
            let process = try Shell.start(["say", "-f", text] + arguments, environment: devices.environment)
            Thread.sleep(forTimeInterval: 1)
            kill(process.processIdentifier, signal)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit)
            #expect(process.terminationStatus == status)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: devices.folder.path).sorted()
                    .filter { $0 != "captured.raw" } == ["asound.conf", "long.txt"])
        }
    }
}

@Suite("syrinx voices")
struct VoicesCommandTests {
    @Test("The default voice is listed, for people and for programs")
    func listing() throws {
        let lines = try Shell.run(["voices"])
        #expect(lines.status == 0)
        #expect(
            String(decoding: lines.output, as: UTF8.self).contains(
                "en_US-joe-medium\ten_US\t22050 Hz\t1 speaker\tdefault"))
        let json =
            try JSONSerialization.jsonObject(with: try Shell.run(["voices", "--json"]).output) as? [[String: Any]]
        let joe = try #require(json?.first { $0["name"] as? String == "en_US-joe-medium" })
        #expect(joe["language"] as? String == "en_US" && joe["sampleRate"] as? Int == 22_050)
        #expect((joe["path"] as? String)?.hasSuffix("en_US-joe-medium.onnx") == true)
    }

    @Test("Without a voice a line says how to get one")
    func none() throws {
        let empty = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: empty) }
        let result = try Shell.run(
            ["voices"], environment: ["SYRINX_VOICES": "", "XDG_DATA_HOME": empty.path])
        #expect(result.status == 0 && result.errors.contains("weights/fetch"), "\(result.errors)")
    }
}

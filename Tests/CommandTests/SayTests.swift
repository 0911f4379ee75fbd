import Foundation
import Testing

/// The samples of a 16-bit mono WAV as `say` writes it.
func samples(_ wav: Data) -> [Int16] {
    let body = wav.dropFirst(44)
    return stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map {
        Int16(truncatingIfNeeded: Int(body[$0]) | Int(body[$0 + 1]) << 8)
    }
}

@Suite("syrinx say")
struct SayTests {
    @Test("A text becomes a WAV file with sound")
    func speaks() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("hello.wav")
        let result = try Shell.run(["say", "Hello world.", "-o", file.path, "--seed", "1"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors == "")
        let wav = try Data(contentsOf: file)
        #expect(wav.prefix(4) == Data("RIFF".utf8))
        #expect(wav[24..<28] == Data([0x22, 0x56, 0, 0]))
        let sound = samples(wav)
        #expect(sound.count > 11_025 && sound.count < 44_100)
        #expect(sound.map { abs(Int($0)) }.max() ?? 0 > 3000)
    }

    @Test("The same seed gives the same bytes, on one thread and two, to a file and through a pipe")
    func isReproducible() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.wav")
        let text = "A first sentence. And a second one."
        _ = try Shell.run(["say", text, "-o", file.path, "--seed", "5", "--threads", "1"])
        let first = samples(try Data(contentsOf: file))
        _ = try Shell.run(["say", text, "-o", file.path, "--seed", "5", "--threads", "2"])
        let second = samples(try Data(contentsOf: file))
        let piped = try Shell.run(["say", "-o", "-", "--seed", "5"], input: Data(text.utf8))
        #expect(try Shell.run(["say", "-", "-o", "-", "--seed", "5"], input: Data(text.utf8)).output == piped.output)
        #expect(!first.isEmpty)
        #expect(first == second)
        #expect(first == samples(piped.output))
        let other = try Shell.run(["say", text, "-o", "-", "--seed", "6"])
        #expect(first != samples(other.output))
    }

    @Test(
        "Text with nothing to say gives a WAV without frames, and says so",
        arguments: ["", " ", "...", "?", "\u{200b}", "\n\n"])
    func silence(text: String) throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("e.wav")
        let result = try Shell.run(["say", text, "-o", file.path])
        #expect(result.status == 0)
        #expect(result.errors == "syrinx: the text has nothing to say; the audio is empty\n")
        #expect(try Data(contentsOf: file).count == 44)
    }

    @Test("Bytes that are not UTF-8, and NUL, are no obstacle")
    func badBytes() throws {
        let result = try Shell.run(["say", "-o", "-"], input: Data([0x48, 0x69, 0xFF, 0x00, 0x20, 0x79, 0x6F, 0x75]))
        #expect(result.status == 0, "\(result.errors)")
        #expect(samples(result.output).count > 5000)
    }

    @Test(
        "A mistake is one line that says what to do, with its exit code and no file",
        arguments: [
            (["say", "- item"], 64, "write -- before it"), (["say", "-5", "degrees"], 64, "write -- before it"),
            (["say", "hi", "--voice", ""], 64, "the name of a voice"),
            (["say", "hi", "--voice", "nope"], 69, "no voice named nope"),
            (["say", "hi", "--voice", "/nowhere/x.onnx"], 66, "no such file"),
            (["say", "hi", "--lenght-scale", "2"], 64, "did you mean --length-scale?"),
            (["say", "hi", "--speaker", "5"], 64, "single speaker"),
            (["say", "hi", "--speaker", "Bob"], 64, "single speaker"),
            (["say", "hi", "--length-scale", "0"], 64, "--length-scale"),
            (["say", "hi", "--length-scale", "nan"], 64, "--length-scale"),
            (["say", "hi", "--noise-scale", "-1"], 64, "--noise-scale"),
            (["say", "hi", "--threads", "0"], 64, "--threads"),
            (["say", "-f", "/nowhere/text.txt"], 66, "/nowhere/text.txt"),
            (["say", "hi", "-f", "-"], 64, "exclude"),
            (["sing", "hi"], 64, "sing"),
        ] as [([String], Int32, String)])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("x.wav")
        let result = try Shell.run(arguments + ["-o", file.path])
        #expect(result.status == status, "\(result.errors)")
        #expect(result.errors.contains(message), "\(result.errors)")
        #expect(result.errors.hasSuffix("\n") && result.errors.filter { $0 == "\n" }.count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("A name that promises another format than WAV is refused before anything is read or made")
    func foreignNames() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in [
            "e.mp3", "e.OGG", "e.Flac", "e.opus", "e.m4a", "e.aac", "e.wav.mp3", "e.raw", "e.pcm", "e.aiff",
        ] {
            let path = folder.appendingPathComponent(name).path
            let ending = name.split(separator: ".").last?.lowercased() ?? ""
            for option in ["-o", "--save"] {
                // A voice that is not there would be the next thing to complain about.
                let result = try Shell.run(["say", "hi", "--voice", "nope", option, path])
                let words = "only WAV is written, not .\(ending); name the output .wav"
                #expect(result.status == 64 && result.errors.contains(words), "\(name): \(result.errors)")
                #expect(result.errors.filter { $0 == "\n" }.count == 1)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        for name in ["e.WAV", "e.mp3.wav", "e", "my.mp3s/e"] {
            let file = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            #expect(try Shell.run(["say", "", "-o", file.path]).status == 0, "\(name)")
        }
    }

    @Test("An output that cannot be written is exit code 74")
    func unwritable() throws {
        for path in ["/nowhere/x.wav", "/dev/full"] {
            let result = try Shell.run(["say", "Hello.", "-o", path])
            #expect(result.status == 74, "\(path): \(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1)
        }
    }

    @Test(
        "A text without end is refused before it fills the memory",
        arguments: ["yes word | syrinx say -o -", "yes | syrinx phonemes", "syrinx say -f /dev/zero -o -"])
    func endless(line: String) throws {
        let path = Shell.programs.path + ":/usr/bin:/bin"
        let result = try Shell.run(
            ["-c", "ulimit -v 4000000; \(line)"], executable: "/bin/sh", environment: ["PATH": path])
        #expect(result.status == 65 && result.errors.contains("longer than 64 MiB"), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test("5 000 words without punctuation are cut into inferences, in bounded memory")
    func longText() throws {
        let text = String(repeating: "yes word ", count: 2500)
        // A process inherits the peak of the one that forked it: a small one starts the command, not the tests.
        let watcher = """
            import resource, subprocess, sys
            status = subprocess.run(sys.argv[1:]).returncode
            print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
            sys.exit(status)
            """
        let syrinx = Shell.programs.appendingPathComponent("syrinx").path
        let result = try Shell.run(
            ["python3", "-S", "-c", watcher, syrinx, "say", "-o", "-", "--rate", "8", "--seed", "1"],
            executable: "/usr/bin/env", input: Data(text.utf8))
        #expect(result.status == 0, "\(result.errors)")
        #expect(samples(result.output).count > 22_050 * 60)
        let kilobytes = try #require(Int(result.errors.trimmingCharacters(in: .whitespacesAndNewlines)))
        #expect(kilobytes > 20_000 && kilobytes < 400_000, "\(kilobytes) kilobytes at the peak")
    }
}

@Suite("syrinx phonemes")
struct PhonemesCommandTests {
    @Test("JSON has sentences with phonemes and ids")
    func json() throws {
        let result = try Shell.run(["phonemes", "--espeak-voice", "en-us", "--json", "Hello world."])
        #expect(result.status == 0, "\(result.errors)")
        let object = try JSONSerialization.jsonObject(with: result.output) as? [String: [[String: Any]]]
        let sentence = try #require(object?["sentences"]?.first)
        #expect(sentence["phonemes"] as? String == "həlˈoʊ wˈɜːld.")
        #expect((sentence["ids"] as? [Int])?.prefix(5) == [1, 0, 20, 0, 59])
    }

    @Test("An unknown espeak voice is one line, and exit code 64")
    func unknownVoice() throws {
        let result = try Shell.run(["phonemes", "--espeak-voice", "xx-nope", "hi"])
        #expect(result.status == 64)
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }
}

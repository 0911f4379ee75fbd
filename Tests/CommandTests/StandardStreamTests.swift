import Foundation
import Glibc
import Testing

/// Runs a line of shell with the built programs on its path.
private func shell(_ line: String, environment: [String: String] = [:]) throws -> Shell.Result {
    let path = Shell.programs.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
    return try Shell.run(
        ["-c", line], executable: "/bin/sh", environment: ["PATH": path].merging(environment) { $1 })
}

@Suite("Standard output and standard error")
struct StandardStreamTests {
    @Test(
        "A message that cannot be written changes nothing about the exit code",
        arguments: ["2>/dev/full", "2>&-", "2>&1 | true"])
    func unwritableErrors(redirection: String) throws {
        for line in ["syrinx say hi --bad", "tts-bench golden --bad"] {
            // The status of the first command of a pipe goes through the third descriptor.
            let result = try shell("exec 3>&1; { \(line); echo $? >&3; } \(redirection)")
            #expect(String(decoding: result.output, as: UTF8.self) == "64\n", "\(line) \(redirection)")
        }
    }

    @Test(
        "Output that is lost is one line and exit code 74",
        arguments: [
            "syrinx --help", "syrinx --version", "syrinx say --help", "syrinx voices", "syrinx voices --json",
            "syrinx phonemes '[[ hˈaɪ ]]'", "syrinx phonemes --json '[[ hˈaɪ ]]'", "tts-bench --help",
        ])
    func unwritableOutput(line: String) throws {
        for redirection in [">/dev/full", ">&-"] {
            let result = try shell("\(line) \(redirection)")
            #expect(result.status == 74, "\(line) \(redirection)")
            #expect(result.errors.contains("standard output"), "\(line) \(redirection): \(result.errors)")
            #expect(result.errors.filter { $0 == "\n" }.count == 1, "\(result.errors)")
        }
    }

    @Test("What is printed arrives whole")
    func whole() throws {
        let result = try shell("syrinx --version")
        #expect(result.status == 0 && String(decoding: result.output, as: UTF8.self).hasPrefix("syrinx "))
    }

    @Test("A file does not take the number of a closed descriptor, and receives no message")
    func closedDescriptor() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let result = try shell("syrinx say '' -o \(folder.path)/e.wav >&- 2>&-")
        #expect(result.status == 0)
        #expect(try Data(contentsOf: folder.appendingPathComponent("e.wav")).count == 44)
    }

    @Test("A signal that the program is to ignore stays ignored, as under nohup")
    func ignoredSignals() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = "This one takes a while, as it has some words. And one more of them."
        let line =
            "trap '' HUP TERM INT; syrinx say '\(text)' --length-scale 4 --threads 1 -o \(folder.path)/n.wav & "
            + "for i in 1 2 3 4 5 6; do sleep 0.1; kill -HUP $!; kill -TERM $!; done 2>/dev/null; wait $!"
        let result = try shell(line)
        #expect(result.status == 0, "\(result.errors)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/n.wav"))
    }

    @Test("An instruction set that is unknown is one note, and the command goes on")
    func kernels() throws {
        for program in ["syrinx phonemes '[[ hˈaɪ ]]'", "tts-bench compare /nowhere/a /nowhere/b"] {
            let plain = try shell(program)
            let noted = try shell(program, environment: ["SYRINX_KERNELS": "avx3"])
            #expect(noted.status == plain.status && noted.output == plain.output)
            #expect(noted.errors.contains("SYRINX_KERNELS is 'avx3'"), "\(noted.errors)")
            #expect(noted.errors.filter { $0 == "\n" }.count == plain.errors.filter { $0 == "\n" }.count + 1)
        }
        #expect(try shell("syrinx --version", environment: ["SYRINX_KERNELS": "baseline"]).errors == "")
    }
}

@Suite("Awkward text and voices")
struct AwkwardInputTests {
    private let noEspeak = ["SYRINX_ESPEAK_LIBRARY": "/nowhere"]

    @Test("Phonemes alone, and nothing at all, are spoken without espeak-ng; text names what is missing")
    func withoutEspeak() throws {
        let spoken = try Shell.run(["say", "[[ hˈaɪ ]]", "-o", "-", "--seed", "1"], environment: noEspeak)
        #expect(spoken.status == 0 && spoken.errors == "", "\(spoken.errors)")
        #expect(samples(spoken.output).count > 2000)
        let empty = try Shell.run(["say", "", "-o", "-"], environment: noEspeak)
        #expect(empty.status == 0 && empty.output.count == 44, "\(empty.errors)")
        let listed = try Shell.run(["phonemes", "--espeak-voice", "en-us", "[[ hˈaɪ ]]"], environment: noEspeak)
        #expect(listed.status == 0 && listed.output == Data("hˈaɪ\n".utf8), "\(listed.errors)")
        let text = try Shell.run(["say", "hi", "-o", "-"], environment: noEspeak)
        #expect(text.status == 69 && text.errors.contains("apt-get install"), "\(text.errors)")
        #expect(text.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test("Reading a text leaves no file in the home folder, nor in the temporary one")
    func leavesNothing() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let home = folder.path
        let result = try Shell.run(
            ["phonemes", "--espeak-voice", "en-us", "Hello."],
            environment: ["HOME": home, "TMPDIR": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home + "/config"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
    }

    @Test("A [[ that is never closed is read as text, and noted")
    func unclosedBlock() throws {
        let result = try Shell.run(["phonemes", "--espeak-voice", "en-us", "Hi [[ there"])
        #expect(result.status == 0 && result.output == Data("hˈaɪ ðˈɛɹ\n".utf8), "\(result.errors)")
        #expect(result.errors == "syrinx: the [[ at character 4 has no ]] and is read as text\n")
        let said = try Shell.run(["say", "Hi [[ there", "-o", "-"])
        #expect(said.status == 0 && said.errors == result.errors, "\(said.errors)")
    }

    @Test("A sentence of nothing but unknown phonemes is named as left out")
    func allUnknown() throws {
        for command in [["say", "-o", "-"], ["phonemes"]] {
            let result = try Shell.run(command + ["[[ 你 ]]"])
            #expect(result.status == 0)
            #expect(result.errors.contains("left them out: 你"), "\(result.errors)")
        }
    }

    @Test(
        "Values that cannot be are exit code 64",
        arguments: [
            (["phonemes", "--espeak-voice", "nope", "hi"], "nope"),
            (["phonemes", "--espeak-voice", "", "hi"], "empty"),
            (["say", "hi", "--speaker", "", "-o", "-"], "no speaker ''"),
            (["say", "hi", "--speaker", "00", "-o", "-"], "no speaker '00'"),
            (["say", "hi", "--speaker=+0", "-o", "-"], "no speaker '+0'"),
            (
                [
                    "say",
                    "This is a sentence of some length, and there is more of it, so that it takes a while to be said",
                    "--length-scale", "100", "--rate", "0.1", "-o", "-",
                ],
                "--length-scale"
            ),
        ] as [([String], String)])
    func usage(arguments: [String], words: String) throws {
        let result = try Shell.run(arguments)
        #expect(result.status == 64 && result.errors.contains(words), "\(result.status) \(result.errors)")
        #expect(result.errors.filter { $0 == "\n" }.count == 1)
    }

    @Test("A configuration that is a pipe does not hold the program up")
    func pipe() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("v.onnx")
        try Data().write(to: model)
        #expect(mkfifo(model.path + ".json", 0o600) == 0)
        let result = try Shell.run(["say", "hi", "--voice", model.path, "-o", "-"])
        #expect(result.status == 65 && result.errors.contains("not a file"), "\(result.errors)")
        #expect(try Shell.run(["voices"], environment: ["SYRINX_VOICES": folder.path]).status == 0)
    }

    @Test("Hidden folders hold no voices, and a relative XDG_DATA_HOME is ignored")
    func library() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in [".fetch-1", "syrinx/voices"] {
            let inside = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
            for file in ["odd.onnx", "odd.onnx.json"] {
                try Data("{}".utf8).write(to: inside.appendingPathComponent(file))
            }
        }
        let hidden = try Shell.run(
            ["voices"], environment: ["SYRINX_VOICES": folder.path, "XDG_DATA_HOME": "/nowhere"])
        #expect(!String(decoding: hidden.output, as: UTF8.self).contains("odd"))
        let found = try Shell.run(["voices"], environment: ["SYRINX_VOICES": "", "XDG_DATA_HOME": folder.path])
        #expect(String(decoding: found.output, as: UTF8.self).contains("odd"))
        let relative = try shell("cd \(folder.path) && XDG_DATA_HOME=. SYRINX_VOICES= HOME=/nowhere syrinx voices")
        #expect(!String(decoding: relative.output, as: UTF8.self).contains("odd"))
    }

    @Test("A reference case that is missing or damaged is one line that names it")
    func golden() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = try Shell.run(["golden", "/nowhere/v.onnx", folder.path + "/none"], program: "tts-bench")
        #expect(missing.status == 66 && missing.errors.contains("/none"), "\(missing.errors)")
        let noVoice = try Shell.run(["golden", "/nowhere/v.onnx", folder.path], program: "tts-bench")
        #expect(noVoice.status == 66 && noVoice.errors.contains("case.json"), "\(noVoice.errors)")
        try Data("{".utf8).write(to: folder.appendingPathComponent("case.json"))
        let damaged = try Shell.run(["golden", "/nowhere/v.onnx", folder.path], program: "tts-bench")
        #expect(damaged.status == 66 && damaged.errors.contains("/nowhere/v.onnx"), "\(damaged.errors)")
        for result in [missing, noVoice, damaged] { #expect(result.errors.filter { $0 == "\n" }.count == 1) }
    }
}

import Foundation
import Testing

@Suite("syrinx convert")
struct ConvertTests {
    private let folder: URL

    init() throws {
        folder = try Shell.folder()
        try Self.wav(frames: 8000).write(to: folder.appendingPathComponent("in.wav"))
    }

    private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    private func cleanUp() { try? FileManager.default.removeItem(at: folder) }

    /// A 16-bit mono file of 8 kHz, with a saw-tooth of a quarter of full scale.
    private static func wav(frames: Int) -> Data {
        func le(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
        var bytes = Array("RIFF".utf8) + le(36 + 2 * frames, 4) + Array("WAVEfmt ".utf8) + le(16, 4)
        bytes += le(1, 2) + le(1, 2) + le(8000, 4) + le(16_000, 4) + le(2, 2) + le(16, 2)
        bytes += Array("data".utf8) + le(2 * frames, 4)
        for i in 0..<frames { bytes += le((i % 100 - 50) * 163, 2) }
        return Data(bytes)
    }

    @Test("A file is resampled into another, and into itself")
    func files() throws {
        defer { cleanUp() }
        for output in ["out.wav", "in.wav"] {
            let result = try Shell.run(["convert", path("in.wav"), path(output), "--rate", "16000"])
            #expect(result.status == 0 && result.errors == "", "\(result.errors)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path(output))).count == 44 + 32_000)
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "in.wav", "out.wav",
            ])
    }

    @Test("Pipes on both sides, with every stage")
    func pipes() throws {
        defer { cleanUp() }
        let input = try Data(contentsOf: URL(fileURLWithPath: path("in.wav")))
        let result = try Shell.run(
            [
                "convert", "-", "-", "--rate", "24000", "--pitch", "1.2", "--tempo", "2", "--trim",
                "--encoding", "f32",
                "--normalize", "loudness", "--loudness", "-20",
            ], input: input)
        #expect(result.status == 0 && result.errors == "", "\(result.errors)")
        // 58 bytes of header; one second at twice the speed.
        #expect(result.output.count == 58 + 4 * 12_000)
        let same = try Shell.run(["convert", "-", "-"], input: input)
        #expect(same.output.dropFirst(44) == input.dropFirst(44))
    }

    @Test("Gain, channels, encoding and raw samples do what they say, to the bit")
    func values() throws {
        defer { cleanUp() }
        func samples(_ arguments: [String], dropping header: Int) throws -> [Int16] {
            let result = try Shell.run(["convert", path("in.wav"), "-"] + arguments)
            #expect(result.status == 0 && result.errors == "", "\(arguments): \(result.errors)")
            let bytes = [UInt8](result.output.dropFirst(header))
            return stride(from: 0, to: bytes.count - 1, by: 2).map {
                Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
            }
        }
        let before = (0..<8000).map { Int16(($0 % 100 - 50) * 163) }
        #expect(try samples(["--raw"], dropping: 0) == before)
        #expect(try samples(["--raw", "--raw-byte-order", "big"], dropping: 0) == before.map(\.byteSwapped))
        let doubled: [Int16] = before.flatMap { [$0, $0] }
        #expect(try samples(["--channels", "2"], dropping: 44) == doubled)
        // -40 dB is a hundredth, in float32.
        let quiet = try samples(["--gain", "-40"], dropping: 44)
        let expected: [Int16] = before.map { sample in Int16((Float(sample) * 0.01).rounded(.toNearestOrEven)) }
        #expect(quiet == expected)
        let loud = try samples(["--normalize", "peak"], dropping: 44)
        let peak = loud.map { abs(Int($0)) }.max() ?? 0
        // The true peak of a saw-tooth is above its samples'.
        #expect(peak > 20_000 && peak <= 29_205, "\(peak)")
        // Eight bits: 128 is silence.
        let bytes = try Shell.run(["convert", path("in.wav"), "-", "--raw", "--encoding", "u8"]).output
        let first: Int = (32_768 - 8150 + 128) / 256
        #expect(bytes.count == 8000)
        let byte = Int(bytes.first ?? 0)
        #expect(byte == first)
    }

    @Test("What a speech API returns, Base64 of raw samples, becomes a WAV file")
    func base64() throws {
        defer { cleanUp() }
        let raw = Data((0..<1000).map { UInt8($0 & 127) })
        let result = try Shell.run(
            ["convert", "-", path("out.wav"), "--raw-rate", "24000", "--raw-base64"],
            input: raw.base64EncodedData(options: .lineLength64Characters))
        #expect(result.status == 0, "\(result.errors)")
        let file = try Data(contentsOf: URL(fileURLWithPath: path("out.wav")))
        #expect(file.dropFirst(44) == raw)
        #expect(Array(file[24..<28]) == [0xc0, 0x5d, 0, 0])
    }

    @Test("Every mistake is one line on standard error with its exit code, and leaves no file")
    func mistakes() throws {
        defer { cleanUp() }
        try Data("Hello, this is text.".utf8).write(to: folder.appendingPathComponent("text.wav"))
        let (input, output) = (path("in.wav"), path("out.wav"))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            ([], 64, "IN is missing"), ([input], 64, "OUT is missing"),
            ([input, output, "x"], 64, "unexpected"),
            ([input, output, "--rat", "8000"], 64, "--rate"),
            ([input, output, "--rate", "0"], 64, "whole number"),
            ([input, output, "--rate", "1"], 64, "factor of 256"),
            ([input, output, "--gain", "nan"], 64, "number"),
            ([input, output, "--channels", "65"], 64, "1 to 64"),
            ([input, output, "--pitch", "3"], 64, "0.5 to 2"),
            ([input, output, "--encoding", "s61"], 64, "s16"), ([input, output, "--raw"], 64, "--raw"),
            ([input, output, "--raw-encoding", "s16"], 64, "--raw-rate"),
            ([input, output, "--gain", "1", "--normalize", "peak"], 64, "exclude"),
            ([input, output, "--loudness", "-20"], 64, "--normalize loudness"),
            ([input, output, "--loudness", "-20", "--normalize", "peak"], 64, "--normalize loudness"),
            ([input, output, "--seed", "1"], 64, "--dither"),
            ([input, output, "--raw-byte-order", "big"], 64, "--raw-rate or --raw"),
            ([input, path("out.mp3")], 64, "only WAV"), ([input, path("out.OPUS")], 64, "not .opus"),
            ([input, path("out.wv")], 64, "not .wv"), ([path("none.wav"), output], 66, "no such file"),
            ([folder.path, output], 66, "folder"), ([path("text.wav"), output], 65, "not a WAV"),
            ([input, "/dev/full"], 74, "disk is full"),
            ([input, path("none/out.wav")], 74, "no such file or folder"),
            ([input, folder.path], 74, "folder"),
        ]
        for (arguments, status, words) in cases {
            let result = try Shell.run(["convert"] + arguments)
            #expect(result.status == status, "\(arguments): \(result.errors)")
            #expect(result.errors.contains(words), "\(arguments): \(result.errors)")
            #expect(result.errors.hasPrefix("syrinx") && result.errors.count(where: \.isNewline) == 1)
            #expect(result.output.isEmpty)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(names == ["in.wav", "text.wav"])
    }

    @Test("Illegal Base64 and truncated files are named")
    func badData() throws {
        defer { cleanUp() }
        let illegal = try Shell.run(
            ["convert", "-", path("out.wav"), "--raw-rate", "24000", "--raw-base64"],
            input: Data("AAAA*AAA".utf8))
        #expect(illegal.status == 65 && illegal.errors.contains("offset 4"), "\(illegal.errors)")
        #expect(illegal.errors.hasPrefix("syrinx: standard input: "), "\(illegal.errors)")
        let whole = try Data(contentsOf: URL(fileURLWithPath: path("in.wav")))
        let cut = try Shell.run(["convert", "-", path("out.wav")], input: whole.dropLast(1000))
        #expect(cut.status == 0 && cut.errors.contains("cut short"), "\(cut.errors)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: path("out.wav"))).count == whole.count - 1000)
    }
}

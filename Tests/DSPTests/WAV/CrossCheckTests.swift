import Foundation
import Testing

@testable import DSP

/// What we write, heard by libsndfile, sox and Python's `wave`. Each test runs where its program is installed.
@Suite("Other programs read what we write")
struct CrossCheckTests {
    private static let script = GoldenWAV.folder + "/describe_wav.py"
    private static let hasLibsndfile: Bool = {
        guard let python = Tool("python3") else { return false }
        let probe = "import ctypes.util, sys; sys.exit(ctypes.util.find_library('sndfile') is None)"
        return (try? python.run(["-c", probe]))?.status == 0
    }()

    /// Includes the extremes, silence and values beyond full scale; odd, so that padding is needed.
    private func samples(channels: Int) -> [Float] {
        (0..<(301 * channels)).map { i in
            [0: 1, 1: -1, 2: 0, 3: 0x1p-15, 4: 1.5, 5: -1.5][i]
                ?? Float(sin(Double(i) * 0.37) * Double(i % 97) / 97)
        }
    }

    /// What our own reader hears, which the golden files have shown to be what libsndfile hears.
    private func reread(_ path: String) throws -> [Float] {
        var reader = try WAVReader(path: path)
        return try reader.readAll()
    }

    @Test(
        "libsndfile reads every encoding, 1 to 8 channels, with metadata", .enabled(if: hasLibsndfile),
        arguments: SampleEncoding.allCases, [1, 2, 3, 5, 8])
    func libsndfile(encoding: SampleEncoding, channels: Int) throws {
        let folder = try TemporaryFolder()
        let metadata = WAVMetadata([.title: "Grüße", .comment: "odd", .software: "Syrinx"])
        try WAVWriter.write(
            samples(channels: channels), to: folder("a.wav"), sampleRate: 22_050, channels: channels,
            encoding: encoding, metadata: metadata)
        let result = try #require(Tool("python3")).run(
            [Self.script, "sndfile", folder("a.wav"), folder("a.f32")])
        let lines = result.output.split(separator: "\n").map(String.init)
        for line in [
            "rate: 22050", "channels: \(channels)", "encoding: \(encoding.rawValue)", "frames: 301",
            "title: Grüße", "comment: odd", "software: Syrinx",
        ] {
            #expect(lines.contains(line), "\(result.output)")
        }
        #expect(try floats(of: folder("a.f32")) == reread(folder("a.wav")))
    }

    @Test("Integers are rounded to the nearest, ties to even, and held within their range")
    func rounding() throws {
        let folder = try TemporaryFolder()
        let steps: [(Float, Int16)] = [
            (0.5, 0), (1.5, 2), (2.5, 2), (-0.5, 0), (-1.5, -2), (0.51, 1), (-0.49, 0), (32_766.5, 32_766),
            (32_767.6, 32_767), (32_768, 32_767), (-32_768, -32_768), (-32_769, -32_768), (1e30, 32_767),
            (.nan, 0), (.infinity, 32_767), (-.infinity, -32_768), (.leastNonzeroMagnitude, 0),
        ]
        try WAVWriter.write(steps.map { $0.0 / 32_768 }, to: folder("a.wav"), sampleRate: 8_000)
        let data = try bytes(of: folder("a.wav"))[44...]
        #expect(Array(data) == steps.flatMap { le($0.1) })
    }

    @Test(
        "Python's wave reads 8, 16, 24 and 32 bits", .enabled(if: Tool.isInstalled("python3")),
        arguments: [SampleEncoding.unsigned8, .signed16, .signed24, .signed32])
    func pythonWave(encoding: SampleEncoding) throws {
        let folder = try TemporaryFolder()
        let metadata = WAVMetadata([.title: "abc"])
        try WAVWriter.write(
            samples(channels: 1), to: folder("a.wav"), sampleRate: 16_000, encoding: encoding,
            metadata: metadata)
        let result = try #require(Tool("python3")).run([Self.script, "wave", folder("a.wav")])
        let lines = result.output.split(separator: "\n").map(String.init)
        let size = encoding.bytesPerSample
        for line in ["rate: 16000", "channels: 1", "width: \(size)", "frames: 301"] {
            #expect(lines.contains(line), "\(result.output)")
        }
        let hexadecimal = try #require(lines.last).dropFirst("bytes: ".count)
        let file = try bytes(of: folder("a.wav"))
        let start = try #require(file.firstRange(of: Array("data".utf8))).upperBound + 4
        #expect(hexadecimal == file[start..<(start + 301 * size)].map { String(format: "%02x", $0) }.joined())
    }

    @Test(
        "sox reads every encoding from a file and from a pipe of unknown length",
        .enabled(if: Tool.isInstalled("sox")), arguments: SampleEncoding.allCases)
    func sox(encoding: SampleEncoding) throws {
        let folder = try TemporaryFolder()
        let samples = samples(channels: 1).map { max(-1, min(1, $0)) }
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 16_000, encoding: encoding)
        let piped = try throughPipe { descriptor in
            var writer = try WAVWriter(
                fileDescriptor: descriptor, name: "pipe", sampleRate: 16_000, encoding: encoding)
            try writer.step(samples.span)
            try writer.finish()
        }
        try write(piped, to: folder("piped.wav"))
        for name in ["a", "piped"] {
            let result = try #require(Tool("sox")).run(
                (name == "piped" ? ["--ignore-length"] : []) + [
                    "-D", folder("\(name).wav"), "-t", "f32", folder("\(name).f32"),
                ])
            #expect(result.status == 0, "\(result.output)")
            let heard = try floats(of: folder("\(name).f32"))
            let expected = try reread(folder("a.wav"))
            // sox computes in 32-bit integers and gives floats of 24 bits.
            let loss = zip(heard, expected).map { abs($0 - $1) }.max() ?? 1
            #expect(heard.count == 301 && loss <= 0x1p-24, "\(name): \(heard.count), \(loss)")
        }
    }

    @Test("G.711 is within half a step of every 16-bit value, and every byte comes back as itself")
    func companding() {
        // Every 16-bit value decodes to within half the step of its segment.
        for value in Int32(-32_768)...32_767 {
            let mu = G711.muLawValue(G711.muLaw(value))
            let a = G711.aLawValue(G711.aLaw(value))
            let magnitude = abs(value)
            let muStep =
                Int32(4) << (max(7, 31 - Int32((min(magnitude, 32_635) + 132).leadingZeroBitCount)) - 7)
            let aStep = Int32(8) << max(0, 31 - Int32(magnitude.leadingZeroBitCount) - 8)
            #expect(abs(mu - value) <= (magnitude > 32_635 ? 644 : muStep), "\(value) → \(mu)")
            #expect(abs(a - value) <= aStep, "\(value) → \(a)")
        }
        // Every byte comes back as itself, but for the two zeros of µ-law.
        for byte in UInt8.min...UInt8.max {
            #expect(G711.aLaw(G711.aLawValue(byte)) == byte)
            #expect(G711.muLaw(G711.muLawValue(byte)) == (byte == 0x7f ? 0xff : byte))
        }
    }
}

import Foundation
import Testing

@testable import DSP

@Suite("Converting files")
struct AudioFileConversionTests {
    private let samples = (0..<40_001).map { Float(sin(Double($0) * 0.05) * 0.5) }

    private func read(_ path: String) throws -> [Float] {
        var reader = try WAVReader(path: path)
        return try reader.readAll()
    }

    private func converted(
        _ input: String, _ output: String, _ change: (inout AudioFileConversion) -> Void = { _ in }
    )
        throws -> AudioFileConversion.Summary
    {
        var conversion = AudioFileConversion(from: .path(input), to: .path(output))
        change(&conversion)
        return try conversion.run()
    }

    @Test("Rate, encoding and metadata stay unless they are to change")
    func keeps() throws {
        let folder = try TemporaryFolder()
        let metadata = WAVMetadata([.title: "abc"])
        try WAVWriter.write(
            samples, to: folder("a.wav"), sampleRate: 22_050, encoding: .signed24, metadata: metadata)
        let summary = try converted(folder("a.wav"), folder("b.wav"))
        #expect(
            summary.inputFrames == 40_001 && summary.outputFrames == 40_001 && summary.outputRate == 22_050)
        #expect(try bytes(of: folder("b.wav")) == bytes(of: folder("a.wav")))
    }

    @Test("The output may be the input, by the same name, by a link, and while it cannot be done")
    func inPlace() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 22_050)
        symlink("a.wav", folder("link.wav"))
        _ = try converted(folder("a.wav"), folder("link.wav")) { $0.options.sampleRate = 24_000 }
        #expect(try read(folder("a.wav")).count == 43_539)
        _ = try converted(folder("a.wav"), folder("a.wav")) { $0.options.sampleRate = 12_000 }
        #expect(try read(folder("a.wav")).count == 21_770)
        let before = try bytes(of: folder("a.wav"))
        #expect(throws: ConversionError.self) {
            _ = try converted(folder("a.wav"), folder("a.wav")) { $0.options.channels = 65 }
        }
        #expect(try bytes(of: folder("a.wav")) == before)
        #expect(folder.names == ["a.wav", "link.wav"])
    }

    @Test("What the progress closure throws ends it, and nothing is left")
    func cancelled() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 22_050)
        var seen: [Int] = []
        #expect(throws: Stop.self) {
            try AudioFileConversion(from: .path(folder("a.wav")), to: .path(folder("b.wav"))).run { frames in
                seen.append(frames)
                if seen.count == 2 { throw Stop() }
            }
        }
        #expect(seen == [16_384, 32_768])
        #expect(folder.names == ["a.wav"])
    }

    @Test("From a file to a pipe the exact length is announced, from a pipe it is unknown")
    func pipes() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(Array(samples[..<20_000]), to: folder("a.wav"), sampleRate: 22_050)
        var conversion = AudioFileConversion(from: .path(folder("a.wav")), to: .path(""))
        conversion.options.sampleRate = 16_000
        let fromFile = try throughPipe { descriptor in
            conversion.output = .descriptor(descriptor, name: "pipe")
            try conversion.run()
        }
        #expect(fromFile.count == 44 + 2 * 14_513)
        #expect(fromFile[40..<44] == le(UInt32(2 * 14_513))[...])
        let input = open(folder("a.wav"), O_RDONLY)
        defer { close(input) }
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes(of: folder("a.wav"))))
        try pipe.fileHandleForWriting.close()
        conversion.input = .descriptor(pipe.fileHandleForReading.fileDescriptor, name: "pipe")
        let fromPipe = try throughPipe { descriptor in
            conversion.output = .descriptor(descriptor, name: "pipe")
            try conversion.run()
        }
        #expect(fromPipe[40..<44] == [255, 255, 255, 255])
        #expect(fromPipe[44...] == fromFile[44...])
    }

    @Test("Truncated input is converted as far as it goes, and that is said")
    func truncated() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 22_050)
        try write(Array(bytes(of: folder("a.wav")).dropLast(1001)), to: folder("cut.wav"))
        let summary = try converted(folder("cut.wav"), folder("b.wav"))
        #expect(summary.inputIsTruncated && summary.outputFrames == 39_500)
        #expect(try read(folder("b.wav")).count == 39_500)
    }

    @Test("Samples that an integer encoding cuts off are counted, and floats are not cut")
    func clipping() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(
            [0.5, 1, 1.5, -1.5, -1], to: folder("a.wav"), sampleRate: 8_000, encoding: .float32)
        #expect(
            try converted(folder("a.wav"), folder("b.wav")) { $0.encoding = .signed16 }.clippedSamples == 2)
        #expect(try converted(folder("a.wav"), folder("b.wav")).clippedSamples == 0)
    }

    @Test("Raw samples and Base64 come in, and raw samples go out")
    func raw() throws {
        let folder = try TemporaryFolder()
        let order = ByteOrder.bigEndian
        _ = try converted(GoldenWAV.folder + "/sndfile-wav-s16.wav", folder("a.raw")) {
            $0.container = .raw(order)
        }
        let raw = try bytes(of: folder("a.raw"))
        #expect(raw.count == 122)
        _ = try converted(folder("a.raw"), folder("b.wav")) {
            $0.rawInput = PCMFormat(sampleRate: 22_050, byteOrder: order)
        }
        #expect(try read(folder("b.wav")) == floats(of: GoldenWAV.folder + "/sndfile-wav-s16.f32"))
        try write(Array(Data(raw).base64EncodedData()), to: folder("a.b64"))
        _ = try converted(folder("a.b64"), folder("c.wav")) {
            $0.rawInput = PCMFormat(sampleRate: 22_050, byteOrder: order)
            $0.inputIsBase64 = true
        }
        #expect(try bytes(of: folder("c.wav")) == bytes(of: folder("b.wav")))
    }

    @Test("Dither is that of the seed, and none without one")
    func dither() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 8_000, encoding: .float32)
        for (name, seed) in [("none", nil), ("one", 1), ("again", 1), ("two", 2)] as [(String, UInt64?)] {
            _ = try converted(folder("a.wav"), folder(name)) {
                $0.encoding = .signed16
                $0.ditherSeed = seed
            }
        }
        #expect(try bytes(of: folder("one")) == bytes(of: folder("again")))
        #expect(try bytes(of: folder("one")) != bytes(of: folder("two")))
        #expect(try bytes(of: folder("one")) != bytes(of: folder("none")))
    }
}

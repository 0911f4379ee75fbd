import Foundation
import Testing

@testable import DSP

@Suite("Files of headerless samples")
struct PCMFileTests {
    private let samples = (0..<30_001).map { Float($0 % 255 - 127) / 128 }

    @Test(
        "What is written is read again, in any encoding and byte order", arguments: SampleEncoding.allCases,
        ByteOrder.allCases)
    func roundTrip(encoding: SampleEncoding, order: ByteOrder) throws {
        let folder = try TemporaryFolder()
        let format = PCMFormat(sampleRate: 8_000, encoding: encoding, byteOrder: order)
        var writer = try PCMWriter(path: folder("a.raw"), format: format)
        try writer.step(samples.span)
        try writer.finish()
        let size = try bytes(of: folder("a.raw")).count
        #expect(size == 30_001 * encoding.bytesPerSample)
        var reader = try PCMReader(path: folder("a.raw"), format: format)
        let heard = try reader.readAll()
        let tolerance: Float = encoding == .aLaw || encoding == .muLaw ? 0x1p-5 : 0
        #expect(heard.count == samples.count && zip(heard, samples).allSatisfy { abs($0 - $1) <= tolerance })
    }

    @Test("sox reads our raw samples as its own", .enabled(if: Tool.isInstalled("sox")))
    func sox() throws {
        let folder = try TemporaryFolder()
        var writer = try PCMWriter(
            path: folder("a.s24"),
            format: PCMFormat(sampleRate: 8_000, encoding: .signed24, byteOrder: .bigEndian))
        try writer.step(samples.span)
        try writer.finish()
        let result = try #require(Tool("sox")).run(
            [
                "-D", "-t", "raw", "-e", "signed", "-b", "24", "-B", "-c", "1", "-r", "8000", folder("a.s24"),
                "-t", "f32", folder("a.f32"),
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(try floats(of: folder("a.f32")) == samples)
    }

    @Test(
        "Base64 of samples is read in bounded pieces, with line breaks, for 1 and 3 channels",
        arguments: [1, 3])
    func base64(channels: Int) throws {
        let folder = try TemporaryFolder()
        let format = PCMFormat(sampleRate: 24_000, channels: channels)
        var writer = try PCMWriter(path: folder("a.raw"), format: format)
        let part = Array(samples[..<30_000])
        try writer.step(part.span)
        try writer.finish()
        let raw = try Data(contentsOf: URL(fileURLWithPath: folder("a.raw")))
        for options in [[], .lineLength64Characters] as [Data.Base64EncodingOptions] {
            try raw.base64EncodedData(options: options).write(to: URL(fileURLWithPath: folder("a.b64")))
            var reader = try PCMReader(path: folder("a.b64"), format: format, isBase64: true)
            let heard = try reader.readAll()
            #expect(heard == part)
            let isTruncated = reader.isTruncated
            #expect(!isTruncated)
        }
    }

    @Test("A cut frame is dropped and said, in bytes and in Base64")
    func truncated() throws {
        let format = PCMFormat(sampleRate: 24_000, channels: 2)
        let bytes: [UInt8] = [0, 0x40, 0, 0x40, 1, 2, 3]
        var plain = try PCMReader(bytes: bytes, format: format)
        let fromPlain = try plain.readAll()
        var coded = try PCMReader(
            bytes: Array(Data(bytes).base64EncodedData()), format: format, isBase64: true)
        let fromCoded = try coded.readAll()
        let isTruncated = (plain.isTruncated, coded.isTruncated)
        #expect(fromPlain == [0.5, 0.5] && fromCoded == [0.5, 0.5])
        #expect(isTruncated == (true, true))
    }

    @Test("What stands before illegal or cut Base64 is read first, then the error comes with every call")
    func damagedBase64() throws {
        let format = PCMFormat(sampleRate: 8000, channels: 1, encoding: .unsigned8, byteOrder: .littleEndian)
        for (text, count) in [("gICA*", 3), ("gICAgA*", 4), ("gICAgIC*", 5), ("gICAg", 3), ("gICAgA=", 4)] {
            for blank in [0, 100_000] {
                let bytes = [UInt8](repeating: 0x20, count: blank) + Array(text.utf8)
                var reader = try PCMReader(bytes: bytes, format: format, isBase64: true)
                var samples = [Float](repeating: 1, count: 16)
                var span = samples.mutableSpan
                #expect(try reader.read(into: &span) == count, "\(text) after \(blank)")
                let (end, last) = (bytes.count, text.utf8.last == 0x2a)
                let error: AudioFileError =
                    last ? .notBase64(byte: 0x2a, offset: end - 1) : .truncatedBase64(offset: end)
                for _ in 0..<2 {
                    #expect(throws: error) {
                        var room = [Float](repeating: 1, count: 16)
                        var span = room.mutableSpan
                        _ = try reader.read(into: &span)
                    }
                }
                #expect(samples[..<count].allSatisfy { $0 == 0 })
            }
        }
    }

    @Test("Illegal Base64 is an error with its place in the whole input")
    func illegal() throws {
        let text = [UInt8](repeating: UInt8(ascii: "A"), count: 100_000) + [UInt8(ascii: "*")]
        #expect(throws: AudioFileError.notBase64(byte: 0x2a, offset: 100_000)) {
            var reader = try PCMReader(bytes: text, format: .gemini, isBase64: true)
            _ = try reader.readAll()
        }
    }

    @Test("A rate of 0 and impossible channels are refused")
    func badFormats() {
        for format in [
            PCMFormat(sampleRate: 0), PCMFormat(sampleRate: -1), PCMFormat(sampleRate: 1, channels: 0),
            PCMFormat(sampleRate: 1, channels: 65),
        ] {
            #expect(throws: AudioFileError.self) { _ = try PCMReader(bytes: [], format: format) }
        }
    }
}

import Foundation
import TestSupport
import Testing

@testable import DSP

@Suite("Writing WAV")
struct WAVWriterTests {
    @Test("16-bit mono has a header of 44 bytes with the right sizes")
    func plainHeader() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write([0, 0.5, -1], to: folder("a.wav"), sampleRate: 22_050)
        let expected: [UInt8] =
            Array("RIFF".utf8) + [42, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0]
            + [0x22, 0x56, 0, 0, 0x44, 0xac, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [6, 0, 0, 0]
            + [0, 0, 0, 0x40, 0, 0x80]
        #expect(try bytes(of: folder("a.wav")) == expected)
        #expect(folder.names == ["a.wav"])
    }

    @Test("Floats carry the number of frames in a fact chunk")
    func floatHeader() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write([0.25, -2], to: folder("a.wav"), sampleRate: 24_000, encoding: .float32)
        let expected: [UInt8] =
            Array("RIFF".utf8) + [58, 0, 0, 0] + Array("WAVEfmt ".utf8) + [18, 0, 0, 0, 3, 0, 1, 0]
            + [0xc0, 0x5d, 0, 0, 0, 0x77, 1, 0, 4, 0, 32, 0, 0, 0] + Array("fact".utf8) + [
                4, 0, 0, 0, 2, 0, 0, 0,
            ]
            + Array("data".utf8) + [8, 0, 0, 0] + [0, 0, 0x80, 0x3e, 0, 0, 0, 0xc0]
        #expect(try bytes(of: folder("a.wav")) == expected)
    }

    @Test("An odd number of bytes is padded, and the padding counted in the file's size alone")
    func padding() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write([0.5], to: folder("a.wav"), sampleRate: 8_000, encoding: .signed24)
        let file = try bytes(of: folder("a.wav"))
        #expect(file.count == 48)
        #expect(file[4..<8] == [40, 0, 0, 0])
        #expect(file[40..<48] == [3, 0, 0, 0, 0, 0, 0x40, 0])
    }

    @Test("Samples that are not whole frames are refused, and leave no file")
    func partialFrames() throws {
        let folder = try TemporaryFolder()
        let error = #expect(throws: AudioFileError.self) {
            try WAVWriter.write([1, 2, 3], to: folder("a.wav"), sampleRate: 8_000, channels: 2)
        }
        #expect(error?.description == "3 samples are not whole frames of 2 channels")
        #expect(folder.names.isEmpty)
    }

    @Test("No samples make a valid file of no frames")
    func empty() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write([], to: folder("a.wav"), sampleRate: 8_000)
        let file = try bytes(of: folder("a.wav"))
        #expect(file.count == 44)
        #expect(file[4..<8] == [36, 0, 0, 0] && file[40..<44] == [0, 0, 0, 0])
    }

    @Test("Any chunking gives the same bytes, dither included", arguments: SampleEncoding.allCases)
    func chunking(encoding: SampleEncoding) throws {
        let folder = try TemporaryFolder()
        let samples = (0..<100_001).map { Float(sin(Double($0) * 0.05)) * 1.1 }
        try WAVWriter.write(
            samples, to: folder("whole.wav"), sampleRate: 8_000, encoding: encoding, ditherSeed: 7)
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        var writer = try WAVWriter(
            path: folder("chunks.wav"), sampleRate: 8_000, encoding: encoding, ditherSeed: 7)
        var start = 0
        while start < samples.count {
            let end = min(samples.count, start + Int.random(in: 0...30_000, using: &random))
            try writer.step(samples.span.extracting(start..<end))
            start = end
        }
        #expect(writer.frames == samples.count)
        try writer.finish()
        #expect(try bytes(of: folder("chunks.wav")) == bytes(of: folder("whole.wav")), "seed \(seed)")
    }

    @Test("On a pipe every size says that the length is unknown, and nothing follows the samples")
    func pipe() throws {
        for encoding in [SampleEncoding.signed16, .float32, .unsigned8] {
            let written = try throughPipe { descriptor in
                var writer = try WAVWriter(
                    fileDescriptor: descriptor, name: "pipe", sampleRate: 8_000, encoding: encoding)
                try writer.step([0.5, 0.5, 0.5].span)
                try writer.finish()
            }
            let data = try #require(written.firstRange(of: Array("data".utf8))).upperBound
            #expect(written[4..<8] == [255, 255, 255, 255])
            #expect(written[data..<(data + 4)] == [255, 255, 255, 255])
            #expect(written.count == data + 4 + 3 * encoding.bytesPerSample)
        }
    }

    @Test("On a pipe an announced length stands in the header, and is the same file")
    func announced() throws {
        let folder = try TemporaryFolder()
        let samples: [Float] = [0.5, -0.5, 0.25]
        try WAVWriter.write(samples, to: folder("a.wav"), sampleRate: 8_000, encoding: .signed24)
        let written = try throughPipe { descriptor in
            var writer = try WAVWriter(
                fileDescriptor: descriptor, name: "pipe", sampleRate: 8_000, encoding: .signed24, frames: 3)
            try writer.step(samples.span)
            try writer.finish()
        }
        #expect(try written == bytes(of: folder("a.wav")))
    }

    @Test("An announced length that is not kept is an error, and leaves no file")
    func announcedWrongly() throws {
        let folder = try TemporaryFolder()
        for count in [2, 4] {
            #expect(
                throws: AudioFileError.wrongFrameCount(name: folder("a.wav"), announced: 3, written: count)
            ) {
                var writer = try WAVWriter(path: folder("a.wav"), sampleRate: 8_000, frames: 3)
                try writer.step([Float](repeating: 0, count: count).span)
                try writer.finish()
            }
        }
        #expect(folder.names == [])
    }

    @Test("An open file is written from where it stands, and its header completed there")
    func descriptorWithOffset() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder("a"), O_RDWR | O_CREAT, 0o600)
        defer { close(descriptor) }
        _ = Glibc.write(descriptor, "before", 6)
        var writer = try WAVWriter(fileDescriptor: descriptor, name: "a", sampleRate: 8_000)
        try writer.step([0, 0].span)
        try writer.finish()
        let file = try bytes(of: folder("a"))
        #expect(file.starts(with: Array("before".utf8) + Array("RIFF".utf8) + [40, 0, 0, 0]))
        #expect(file.count == 6 + 48)
    }

    @Test("A file opened for appending cannot be completed, so its sizes say unknown")
    func appending() throws {
        let folder = try TemporaryFolder()
        let descriptor = open(folder("a"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        var writer = try WAVWriter(fileDescriptor: descriptor, name: "a", sampleRate: 8_000)
        try writer.step([0, 0].span)
        try writer.finish()
        let file = try bytes(of: folder("a"))
        #expect(file[4..<8] == [255, 255, 255, 255] && file.count == 48)
    }

    @Test("More than two channels are written with the loudspeakers they belong to")
    func extensible() throws {
        let folder = try TemporaryFolder()
        try WAVWriter.write(
            [Float](repeating: 0, count: 12), to: folder("a.wav"), sampleRate: 48_000, channels: 6)
        let file = try bytes(of: folder("a.wav"))
        #expect(file[16..<22] == [40, 0, 0, 0, 0xfe, 0xff])
        #expect(file[40..<44] == [0x3f, 0, 0, 0])
        #expect(file[44..<60] == [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71])
    }

    @Test("Beyond 4 GiB the reserved room becomes the ds64 chunk of RF64")
    func largeSizes() throws {
        let header = try WAVHeader(
            sampleRate: 48_000, channels: 1, encoding: .signed16, metadata: WAVMetadata(),
            reservesLargeSizes: true)
        let small = header.bytes(frames: 5)
        let large = header.bytes(frames: 3_000_000_000)
        #expect(small.count == 80 && large.count == 80)
        #expect(
            small.starts(with: Array("RIFF".utf8) + [82, 0, 0, 0] + Array("WAVEJUNK".utf8) + [28, 0, 0, 0]))
        // 6 000 000 000 + 72 = 0x1_65A0_BC48
        #expect(
            Array(large[..<48])
                == Array("RF64".utf8) + [255, 255, 255, 255] + Array("WAVEds64".utf8) + [28, 0, 0, 0]
                + [0x48, 0xbc, 0xa0, 0x65, 1, 0, 0, 0] + [0, 0xbc, 0xa0, 0x65, 1, 0, 0, 0]
                + [0, 0x5e, 0xd0, 0xb2, 0, 0, 0, 0] + [0, 0, 0, 0])
        #expect(large[76...] == [255, 255, 255, 255])
    }

    @Test("The last length that 32 bits can say is written, and one frame more is refused")
    func limit() throws {
        let header = try WAVHeader(
            sampleRate: 48_000, channels: 1, encoding: .signed16, metadata: WAVMetadata(),
            reservesLargeSizes: false)
        let most = header.maximumFrames
        #expect(header.bytes(frames: most).starts(with: "RIFF".utf8))
        #expect(36 + 2 * (most + 1) > Int(UInt32.max) - 1)
        #expect(throws: AudioFileError.tooLarge(name: "the audio")) {
            try WAVWriter.header(sampleRate: 48_000, frames: most + 1)
        }
    }

    @Test("Rates, channels and lengths that no header can say are refused before a file is made")
    func unwritable() throws {
        let folder = try TemporaryFolder()
        for (rate, channels) in [
            (0, 1), (-1, 1), (.min, 1), (.max, 1), (1 << 32, 1), (8_000, 0), (8_000, -1), (8_000, 65),
            (4_000_000_000, 1), (100_000_000, 64),
        ] {
            #expect(throws: AudioFileError.self, "\(rate) Hz, \(channels) channels") {
                _ = try WAVWriter(path: folder("a.wav"), sampleRate: rate, channels: channels)
            }
        }
        #expect(throws: AudioFileError.self) {
            _ = try WAVWriter(path: folder("a.wav"), sampleRate: 8_000, frames: -1)
        }
        #expect(folder.names == [])
        for rate in [1, 2_147_483_647] {
            try WAVWriter.write([0], to: folder("\(rate).wav"), sampleRate: rate)
        }
    }
}

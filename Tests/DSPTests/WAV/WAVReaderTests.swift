import Foundation
import Testing

@testable import DSP

@Suite("Reading WAV")
struct WAVReaderTests {
    @Test("What libsndfile, sox and Python wrote is read as libsndfile reads it", arguments: GoldenWAV.all)
    func golden(file: GoldenWAV) throws {
        var reader = try WAVReader(path: file.path)
        let (rate, channels, encoding) = (reader.sampleRate, reader.channels, reader.encoding)
        #expect(rate == file.rate)
        #expect(channels == file.channels)
        #expect(encoding.rawValue == file.encoding)
        let frames = reader.frames
        #expect(frames == 61)
        let samples = try reader.readAll()
        #expect(try samples == file.samples)
        let isTruncated = reader.isTruncated
        #expect(!isTruncated)
    }

    @Test("All golden files are there")
    func goldenCount() { #expect(GoldenWAV.all.count == 41) }

    @Test("Through a pipe the same is read, in blocks of any size", arguments: GoldenWAV.all)
    func pipe(file: GoldenWAV) throws {
        let expected = try file.samples
        for blockFrames in [1, 3, 1000] {
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: Data(bytes(of: file.path)))
            try pipe.fileHandleForWriting.close()
            var reader = try WAVReader(
                fileDescriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
            // One sample of room too much: only whole frames are given.
            var block = [Float](
                repeating: 0, count: blockFrames * file.channels + (file.channels > 1 ? 1 : 0))
            var heard: [Float] = []
            while true {
                var span = block.mutableSpan
                let frames = try reader.read(into: &span)
                if frames == 0 { break }
                heard += block[..<(frames * file.channels)]
            }
            #expect(heard == expected)
            let (isTruncated, frames) = (reader.isTruncated, reader.frames)
            #expect(!isTruncated)
            // sox wrote that it does not know.
            #expect(frames == (file.name == "sox-pipe" ? nil : 61))
        }
    }

    @Test("Metadata that libsndfile wrote after the samples is read, from a file and from a pipe")
    func strings() throws {
        let path = GoldenWAV.folder + "/sndfile-wav-s16-strings.wav"
        let fromFile = try WAVReader(path: path).metadata
        #expect(fromFile[.title] == "Grüße")
        #expect(fromFile[.artist] == "joe")
        #expect(fromFile[.comment] == "odd")
        #expect(fromFile[.software]?.hasPrefix("test") == true)
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes(of: path)))
        try pipe.fileHandleForWriting.close()
        var fromPipe = try WAVReader(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
        _ = try fromPipe.readAll()
        let metadata = fromPipe.metadata
        #expect(metadata == fromFile)
    }

    // MARK: Structure

    private let ramp: [UInt8] = [0, 0x40, 0, 0xc0, 0, 0x20]
    private let rampSamples: [Float] = [0.5, -0.5, 0.25]

    /// What is read from memory and from a pipe, which must be the same.
    private func read(_ bytes: [UInt8]) throws -> (samples: [Float], isTruncated: Bool, frames: Int?) {
        var reader = try WAVReader(bytes: bytes)
        let samples = try reader.readAll()
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try pipe.fileHandleForWriting.close()
        var piped = try WAVReader(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
        let pipedSamples = try piped.readAll()
        #expect(pipedSamples == samples)
        let (isTruncated, pipedIsTruncated) = (reader.isTruncated, piped.isTruncated)
        #expect(pipedIsTruncated == isTruncated)
        return (samples, isTruncated, reader.frames)
    }

    @Test("Chunks of odd size are passed over, with their padding and also where it was left out")
    func oddChunks() throws {
        let padded = WAVBytes().chunk("bext", [1, 2, 3]).format().chunk("LIST", [9]).data(ramp)
        let unpadded = WAVBytes().chunk("bext", [1, 2, 3], padding: []).format().data(ramp)
        let nonZero = WAVBytes().chunk("bext", [1], padding: [7]).format().data(ramp)
        for file in [padded, unpadded, nonZero] {
            let result = try read(file.bytes)
            #expect(result.samples == rampSamples)
            #expect(!result.isTruncated)
        }
    }

    @Test("What follows the samples is not heard, after odd sizes too")
    func trailingChunks() throws {
        let list = Array("INFOINAM".utf8) + le(UInt32(3)) + Array("abc".utf8) + [0]
        for padding in [[0], []] as [[UInt8]] {
            let file = WAVBytes().format(bits: 8).data([192, 64, 128], padding: padding).chunk("LIST", list)
            let result = try read(file.bytes + Array("garbage at the end".utf8))
            #expect(result.samples == [0.5, -0.5, 0])
            let metadata = try WAVReader(bytes: file.bytes).metadata
            #expect(metadata[.title] == "abc")
        }
    }

    @Test(
        "Sizes of a header that was never completed mean the rest of the input",
        arguments: [
            (0, 0), (36, 0), (0xffff_ffff, 0xffff_ffff), (0xffff_ffff, 0), (0x7fff_f024, 0x7fff_f000),
            (0x7fff_ffff, 0x7fff_ffdb), (0, 0xffff_ffff), (0xffff_ffff, 0xffff_ffdb),
        ] as [(UInt32, UInt32)])
    func streamingSizes(riff: UInt32, data: UInt32) throws {
        let result = try read(WAVBytes(riffSize: riff).format().data(ramp, size: data).bytes)
        #expect(result.samples == rampSamples)
        #expect(!result.isTruncated)
        #expect(result.frames == 3)
    }

    @Test("A data chunk of no bytes in a complete file is empty, whatever follows")
    func trulyEmpty() throws {
        let result = try read(WAVBytes().format().data([]).chunk("LIST", ramp).bytes)
        #expect(result.samples == [] && result.frames == 0)
        #expect(try read(WAVBytes().format().data([]).bytes).samples == [])
    }

    @Test("Of truncated samples what is there is given, and the loss is said")
    func truncated() throws {
        let whole = WAVBytes().format().data(ramp).bytes
        for (cut, count) in [(1, 2), (2, 2), (3, 1), (5, 0), (6, 0)] {
            let result = try read(Array(whole.dropLast(cut)))
            #expect(result.samples == Array(rampSamples[..<count]), "\(cut) bytes cut")
            #expect(result.isTruncated, "\(cut) bytes cut")
            #expect(result.frames == count)
        }
        // 3 GB promised, 6 bytes there.
        let boast = try read(WAVBytes(riffSize: 3_000_000_036).format().data(ramp, size: 3_000_000_000).bytes)
        #expect(boast.samples == rampSamples && boast.isTruncated)
    }

    @Test("Half a frame at the end of whole samples is left out")
    func halfFrame() throws {
        let result = try read(WAVBytes().format(channels: 2).data(ramp).bytes)
        #expect(result.samples == [0.5, -0.5])
        #expect(!result.isTruncated)
    }

    @Test("RF64 and BW64 take the size from ds64", arguments: ["RF64", "BW64"])
    func largeSizes(form: String) throws {
        let sizes = le(UInt64(100)) + le(UInt64(6)) + le(UInt64(3)) + le(UInt32(0))
        let file = WAVBytes(form: form, riffSize: .max).chunk("ds64", sizes).format()
            .data(ramp, size: .max).chunk("LIST", [1, 2, 3, 4])
        let result = try read(file.bytes)
        #expect(result.samples == rampSamples && result.frames == 3)
        // Never completed, absurd, or missing: the rest of the input.
        for size in [0, .max, UInt64(Int64.max)] {
            let ds64 = le(UInt64(0)) + le(size) + le(UInt64(0)) + le(UInt32(0))
            let open = WAVBytes(form: form, riffSize: .max).chunk("ds64", ds64).format().data(
                ramp, size: .max)
            #expect(try read(open.bytes).samples == rampSamples, "\(size)")
        }
        #expect(
            try read(WAVBytes(form: form, riffSize: .max).format().data(ramp, size: .max).bytes).samples
                == rampSamples)
        // A petabyte promised.
        let boast = le(UInt64(1 << 50)) + le(UInt64(1 << 50)) + le(UInt64(1 << 49)) + le(UInt32(0))
        let cut = try read(
            WAVBytes(form: form, riffSize: .max).chunk("ds64", boast).format().data(ramp, size: .max).bytes)
        #expect(cut.samples == rampSamples && cut.isTruncated)
    }

    @Test("Samples in wider containers and with unusual numbers of bits keep their scale")
    func containers() throws {
        // 20 bits in 3 bytes, 24 in 4, 12 in 2: the upper bits.
        #expect(try read(WAVBytes().format(bits: 20, align: 3).data([0, 0, 0x40]).bytes).samples == [0.5])
        #expect(try read(WAVBytes().format(bits: 24, align: 4).data([0, 0, 0, 0x40]).bytes).samples == [0.5])
        #expect(try read(WAVBytes().format(bits: 12, align: 2).data([0, 0x40]).bytes).samples == [0.5])
        // A frame size of 0 is filled in.
        #expect(try read(WAVBytes().format(align: 0).data(ramp).bytes).samples == rampSamples)
    }

    @Test("Samples that are not finite are read as 0 and ±1")
    func notFinite() throws {
        let floats: [Float] = [.nan, .infinity, -.infinity, 3, -.greatestFiniteMagnitude]
        let expected: [Float] = [0, 1, -1, 3, -.greatestFiniteMagnitude]
        let file = WAVBytes().format(tag: 3, bits: 32).data(floats.flatMap { le($0.bitPattern) })
        #expect(try read(file.bytes).samples == expected)
        let doubles: [Double] = [.nan, .infinity, -1e300, 0.5]
        let wide = WAVBytes().format(tag: 3, bits: 64).data(doubles.flatMap { le($0.bitPattern) })
        #expect(try read(wide.bytes).samples == [0, 1, -1, 0.5])
    }

    @Test("The lowest and highest rate that a header can say are given as they are")
    func extremeRates() throws {
        for rate in [1, 4_000_000_000, UInt32.max] {
            let read = try WAVReader(bytes: WAVBytes().format(rate: rate).data(ramp).bytes).sampleRate
            #expect(read == Int(rate))
        }
    }

    @Test("INFO entries are read as UTF-8, or else as Latin-1, up to their NUL")
    func metadataEncoding() throws {
        let list =
            Array("INFO".utf8) + Array("INAM".utf8) + le(UInt32(5)) + [0xc3, 0xa4, 0, 65, 66, 0]
            + Array("IART".utf8) + le(UInt32(2)) + [0xe4, 0x62] + Array("ICMT".utf8) + le(UInt32(9)) + [65]
        let metadata = try WAVReader(bytes: WAVBytes().format().chunk("LIST", list).data(ramp).bytes).metadata
        #expect(metadata[.title] == "ä")
        #expect(metadata[.artist] == "äb")
        #expect(metadata[.comment] == nil)
        #expect(metadata.keys == [.title, .artist])
    }
}

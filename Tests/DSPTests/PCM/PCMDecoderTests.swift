import TestSupport
import Testing

@testable import DSP

@Suite("Headerless samples")
struct PCMDecoderTests {
    @Test("Values of every encoding and byte order, by hand")
    func values() {
        let cases: [(SampleEncoding, ByteOrder, [UInt8], [Float])] = [
            (.unsigned8, .littleEndian, [0, 128, 192], [-1, 0, 0.5]),
            (.signed16, .littleEndian, [0, 0x80, 1, 0, 0xff, 0x7f], [-1, 0x1p-15, 32_767 / 32_768]),
            (.signed16, .bigEndian, [0x80, 0, 0, 1, 0x7f, 0xff], [-1, 0x1p-15, 32_767 / 32_768]),
            (.signed24, .littleEndian, [0, 0, 0x80, 1, 0, 0, 0xff, 0xff, 0xff], [-1, 0x1p-23, -0x1p-23]),
            (.signed24, .bigEndian, [0x80, 0, 0, 0, 0, 1, 0xff, 0xff, 0xff], [-1, 0x1p-23, -0x1p-23]),
            (.signed32, .littleEndian, [0, 0, 0, 0x80, 0, 0, 0, 0x40], [-1, 0.5]),
            (.signed32, .bigEndian, [0x80, 0, 0, 0, 0x40, 0, 0, 0], [-1, 0.5]),
            (.float32, .littleEndian, [0, 0, 0, 0x3f, 0, 0, 0xc0, 0x7f], [0.5, 0]),
            (.float32, .bigEndian, [0x3f, 0, 0, 0, 0x7f, 0x80, 0, 0], [0.5, 1]),
            (.float64, .littleEndian, [0, 0, 0, 0, 0, 0, 0xe0, 0x3f], [0.5]),
            (.float64, .bigEndian, [0x3f, 0xe0, 0, 0, 0, 0, 0, 0], [0.5]),
        ]
        for (encoding, order, bytes, expected) in cases {
            var decoder = PCMDecoder(encoding, byteOrder: order)
            var samples: [Float] = []
            decoder.step(bytes.span, appendingTo: &samples)
            #expect(samples == expected, "\(encoding) \(order)")
            #expect(decoder.finish() == 0)
        }
    }

    @Test(
        "Every encoder's bytes come back as the same samples", arguments: SampleEncoding.allCases,
        ByteOrder.allCases)
    func roundTrip(encoding: SampleEncoding, order: ByteOrder) {
        // Multiples of 2^-7 are exact in all encodings but G.711.
        let samples = (-128..<127).map { Float($0) / 128 }
        var encoder = SampleEncoder(encoding, byteOrder: order)
        var bytes = [UInt8](repeating: 0, count: samples.count * encoding.bytesPerSample)
        var room = bytes.mutableSpan
        var raw = room.mutableBytes
        #expect(encoder.step(samples.span, into: &raw) == bytes.count)
        var decoder = PCMDecoder(encoding, byteOrder: order)
        var heard: [Float] = []
        decoder.step(bytes.span, appendingTo: &heard)
        let tolerance: Float = encoding == .aLaw || encoding == .muLaw ? 0x1p-5 : 0
        #expect(zip(heard, samples).allSatisfy { abs($0 - $1) <= tolerance } && heard.count == samples.count)
    }

    @Test("Any chunking gives the same samples", arguments: SampleEncoding.allCases, ByteOrder.allCases)
    func chunking(encoding: SampleEncoding, order: ByteOrder) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let bytes = (0..<4001).map { _ in UInt8.random(in: 0...255, using: &random) }
        var whole = PCMDecoder(encoding, byteOrder: order)
        var expected: [Float] = []
        whole.step(bytes.span, appendingTo: &expected)
        #expect(whole.finish() == 4001 % encoding.bytesPerSample)

        var decoder = PCMDecoder(encoding, byteOrder: order)
        for _ in 0..<2 {
            var samples: [Float] = []
            var start = 0
            while start < bytes.count {
                let end = min(
                    bytes.count,
                    start + Int.random(in: 0...(Bool.random(using: &random) ? 3 : 100), using: &random))
                let next = decoder.maximumOutput(for: end - start)
                let before = samples.count
                decoder.step(bytes.span.extracting(start..<end), appendingTo: &samples)
                #expect(samples.count == before + next)
                start = end
            }
            #expect(samples == expected, "seed \(seed)")
            #expect(decoder.finish() == 4001 % encoding.bytesPerSample)
        }
    }

    @Test("MIME types of the kind that speech APIs send become formats")
    func mimeTypes() {
        #expect(PCMFormat(mimeType: "audio/L16;codec=pcm;rate=24000") == .gemini)
        #expect(
            PCMFormat(mimeType: "audio/l24; rate=48000; channels=2")
                == PCMFormat(sampleRate: 48_000, channels: 2, encoding: .signed24, byteOrder: .bigEndian))
        for bad in [
            "audio/mpeg", "audio/L16", "audio/L16;rate=0", "audio/L16;rate=x", "",
            "audio/L16;rate=1;channels=0",
        ] {
            #expect(PCMFormat(mimeType: bad) == nil, "\(bad)")
        }
    }

    @Test("Dither is triangular, of the width of two steps, and free of bias")
    func dither() {
        var dither = Dither(seed: 1)
        let values = (0..<200_000).map { _ in Double(dither.next()) }
        let mean = values.reduce(0, +) / 200_000
        let variance = values.map { $0 * $0 }.reduce(0, +) / 200_000
        // Two uniform values of width 1: variance 2/12; a quarter of the mass lies beyond ±0.5.
        #expect(abs(mean) < 0.005)
        #expect(abs(variance - 1.0 / 6) < 0.002)
        #expect(values.allSatisfy { abs($0) < 1 })
        #expect(abs(Double(values.count { abs($0) > 0.5 }) / 200_000 - 0.25) < 0.005)
    }

    @Test("With dither a signal below one step survives in the mean, which rounding alone destroys")
    func belowOneStep() {
        func mean(seed: UInt64?) -> Double {
            let samples = [Float](repeating: 0.3 / 32_768, count: 100_000)
            var encoder = SampleEncoder(.signed16, ditherSeed: seed)
            var bytes = [UInt8](repeating: 0, count: 200_000)
            var room = bytes.mutableSpan
            var raw = room.mutableBytes
            encoder.step(samples.span, into: &raw)
            var sum = 0
            for i in 0..<100_000 {
                sum += Int(Int16(bitPattern: UInt16(bytes[2 * i]) | UInt16(bytes[2 * i + 1]) << 8))
            }
            return Double(sum) / 100_000
        }
        #expect(mean(seed: nil) == 0)
        #expect(abs(mean(seed: 42) - 0.3) < 0.01)
        #expect(mean(seed: 42) == mean(seed: 42) && mean(seed: 42) != mean(seed: 43))
    }
}

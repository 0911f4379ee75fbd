import Foundation
import Testing

@testable import DSP

@Suite("Converting audio")
struct AudioConverterTests {
    private static func options(_ change: (inout ConversionOptions) -> Void) -> ConversionOptions {
        var options = ConversionOptions()
        change(&options)
        return options
    }

    private func sine(_ frequency: Double, rate: Double, count: Int, amplitude: Double = 0.5) -> [Float] {
        (0..<count).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    private func convert(
        _ samples: [Float], from rate: Int, channels: Int = 1, _ options: ConversionOptions, block: Int = .max
    ) throws -> [Float] {
        var converter = try AudioConverter(from: rate, channels: channels, options: options)
        var result: [Float] = []
        var rest = samples[...]
        while !rest.isEmpty {
            let count = min(rest.count, block == .max ? rest.count : block * channels)
            result += try converter.step(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return try result + converter.finish()
    }

    @Test("Without changes every sample passes as it is")
    func identity() throws {
        let samples = sine(440, rate: 8_000, count: 1000, amplitude: 3)
        #expect(try convert(samples, from: 8_000, ConversionOptions()) == samples)
        #expect(try convert([], from: 8_000, ConversionOptions()) == [])
    }

    @Test("Samples that are not finite become 0 and ±1")
    func notFinite() throws {
        #expect(
            try convert([.nan, .infinity, -.infinity, 0.5], from: 8_000, ConversionOptions()) == [
                0, 1, -1, 0.5,
            ])
    }

    @Test(
        "Blocks of any size give the same samples, and the announced length holds",
        arguments: [
            options { $0.sampleRate = 24_000 }, options { $0.tempo = 1.5 }, options { $0.pitch = 0.8 },
            options {
                $0.sampleRate = 44_100
                $0.tempo = 0.7
                $0.gain = 12
            },
            options {
                $0.channels = 2
                $0.gain = -3
            },
            options {
                $0.normalization = .peak
                $0.sampleRate = 8_000
            }, options { $0.normalization = .loudness },
            options { $0.trimsSilence = true },
        ])
    func chunking(options: ConversionOptions) throws {
        let samples = sine(150, rate: 22_050, count: 30_011) + [Float](repeating: 0, count: 5000)
        let whole = try convert(samples, from: 22_050, options)
        for block in [1, 777, 4096] {
            // The resampler may sum in another order, not another result.
            let cut = try convert(samples, from: 22_050, options, block: block)
            #expect(cut.count == whole.count)
            let difference = zip(cut, whole).map { abs($0 - $1) }.max() ?? 0
            #expect(difference <= 1e-6, "blocks of \(block): \(difference)")
        }
        let announced = try AudioConverter(from: 22_050, options: options).outputFrames(for: samples.count)
        if options.trimsSilence {
            #expect(announced == nil)
        } else {
            #expect(announced == whole.count / (options.channels ?? 1))
        }
    }

    @Test("A rate above those of speech is resampled before the pitch changes")
    func highRate() throws {
        let options = Self.options {
            $0.sampleRate = 24_000
            $0.tempo = 2
        }
        let samples = sine(150, rate: 96_000, count: 96_000)
        #expect(try convert(samples, from: 96_000, options).count == 12_000)
        #expect(try AudioConverter(from: 96_000, options: options).outputFrames(for: 96_000) == 12_000)
    }

    @Test("Channels become their mean, and one becomes copies")
    func channels() throws {
        let stereo: [Float] = [1, 0, 0.5, -0.5, -1, -0.5]
        #expect(
            try convert(stereo, from: 8_000, channels: 2, Self.options { $0.channels = 1 }) == [
                0.5, 0, -0.75,
            ])
        #expect(
            try convert([1, 0.5], from: 8_000, Self.options { $0.channels = 3 }) == [1, 1, 1, 0.5, 0.5, 0.5])
        #expect(throws: ConversionError.unsupportedChannels(from: 2, to: 3)) {
            _ = try AudioConverter(from: 8_000, channels: 2, options: Self.options { $0.channels = 3 })
        }
    }

    @Test("A sine keeps its phase and level through the resampler")
    func resampling() throws {
        let samples = sine(1000, rate: 22_050, count: 22_050)
        let result = try convert(samples, from: 22_050, Self.options { $0.sampleRate = 24_000 })
        let expected = sine(1000, rate: 24_000, count: 24_000)
        #expect(result.count == 24_000)
        let error = (1000..<23_000).map { abs(result[$0] - expected[$0]) }.max() ?? 1
        #expect(error < 1e-6, "\(error)")
    }

    @Test("Attenuation is exact, and amplification ends at full scale without being cut off")
    func gain() throws {
        let samples = sine(200, rate: 16_000, count: 16_000)
        let half = try convert(samples, from: 16_000, Self.options { $0.gain = 20 * log10(0.5) })
        #expect(zip(half, samples).allSatisfy { abs($0 - $1 / 2) < 1e-7 })
        let loud = try convert(samples, from: 16_000, Self.options { $0.gain = 20 })
        let peak = loud.map(\.magnitude).max() ?? 0
        #expect(loud.count == samples.count && peak <= 1 && peak > 0.9)
        // A limited sine is still one: clipping at +14 dB would leave flat tops of equal samples.
        let flat = zip(loud, loud.dropFirst()).count { $0 == $1 && abs($0) > 0.9 }
        #expect(flat < 50, "\(flat)")
    }

    @Test("The peak is brought to −1 dB, silence stays silence")
    func peak() throws {
        let samples = sine(200, rate: 16_000, count: 16_000, amplitude: 0.01)
        let result = try convert(samples, from: 16_000, Self.options { $0.normalization = .peak })
        #expect(abs((result.map(\.magnitude).max() ?? 0) - 0.891_25) < 1e-3)
        let silence = [Float](repeating: 0, count: 100)
        #expect(try convert(silence, from: 16_000, Self.options { $0.normalization = .peak }) == silence)
    }

    @Test("The loudness is what was asked for")
    func loudness() throws {
        // A sine of 1 kHz at −18 dBFS in one channel has −21.0 LUFS (ITU-R BS.1770: 0 dBFS is −3.01 LUFS).
        let samples = sine(997, rate: 48_000, count: 96_000, amplitude: 0.1)
        for target in [-30.0, -16] {
            let options = Self.options {
                $0.normalization = .loudness
                $0.loudness = target
            }
            let result = try convert(samples, from: 48_000, options)
            let peak = Double(result.map(\.magnitude).max() ?? 0)
            #expect(abs(20 * log10(peak) - 3.01 - target) < 0.1)
        }
    }

    @Test("Silence at both ends goes but for 50 ms, pauses inside stay")
    func trimming() throws {
        let silence = [Float](repeating: 0, count: 16_000)
        let sound = [Float](repeating: 0.5, count: 1000)
        let result = try convert(
            silence + sound + silence + sound + silence, from: 16_000, Self.options { $0.trimsSilence = true }
        )
        #expect(result.count == 800 + 1000 + 16_000 + 1000 + 800)
        #expect(try convert(silence, from: 16_000, Self.options { $0.trimsSilence = true }) == [])
    }

    @Test("Samples that are not whole frames are refused, and nothing of them is taken")
    func partialFrames() throws {
        var converter = try AudioConverter(from: 8_000, channels: 2, options: ConversionOptions())
        do {
            _ = try converter.step([1, 2, 3])
            Issue.record("nothing was thrown")
        } catch {
            #expect("\(error)".contains("3 interleaved samples"))
        }
        let result = try converter.step([0.5, 0.25])
        #expect(result == [0.5, 0.25])
    }

    @Test("The silence held back is ten seconds, or 16 MiB where a header claims the impossible")
    func trimmingMemory() throws {
        for (rate, channels, pause) in [
            (24_000, 1, 240_000), (192_000, 2, 1_920_000), (4_000_000_000, 64, 65_530), (1, 1, 10),
            (.min, 1, 0), (8_000, 0, 80_000), (.max, .max, 0),
        ] {
            #expect(AudioConverter.longestPause(rate: rate, channels: channels) == pause)
        }
        let options = Self.options { $0.trimsSilence = true }
        let sound = [Float](repeating: 0.5, count: 640)
        #expect(try convert(sound, from: 4_000_000_000, channels: 64, options) == sound)
    }

    @Test("What cannot be done is refused before any sample, in one line")
    func refusals() {
        let cases: [(rate: Int, channels: Int, options: ConversionOptions)] = [
            (8_000, 2, Self.options { $0.pitch = 2 }), (96_000, 1, Self.options { $0.tempo = 2 }),
            (8_000, 1, Self.options { $0.pitch = 2.1 }), (8_000, 1, Self.options { $0.tempo = .nan }),
            (8_000, 1, Self.options { $0.gain = .infinity }), (8_000, 1, Self.options { $0.gain = 61 }),
            (8_000, 1, Self.options { $0.sampleRate = 0 }), (8_000, 1, Self.options { $0.sampleRate = -1 }),
            (1, 1, Self.options { $0.sampleRate = 8_000 }),
            (4_000_000_000, 1, Self.options { $0.sampleRate = 8_000 }),
            (8_000, 1, Self.options { $0.channels = 0 }), (8_000, 1, Self.options { $0.channels = 65 }),
            (8_000, 1, Self.options { $0.loudness = 1 }),
            (1_000, 1, Self.options { $0.normalization = .loudness }),
            (.min, 1, Self.options { $0.trimsSilence = true }),
            (-1, 1, Self.options { $0.trimsSilence = true }),
            (8_000, 0, Self.options { $0.trimsSilence = true }),
            (8_000, .max, Self.options { $0.trimsSilence = true }),
        ]
        for (rate, channels, options) in cases {
            let error = #expect(throws: ConversionError.self, "\(rate) \(channels) \(options)") {
                _ = try AudioConverter(from: rate, channels: channels, options: options)
            }
            #expect(error?.description.contains("\n") == false)
        }
    }
}

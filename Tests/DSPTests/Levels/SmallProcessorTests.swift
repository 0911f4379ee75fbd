import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite("Gain, DC removal, silence trimming")
struct SmallProcessorTests {
    @Test("Decibels and factors are each other's inverse")
    func decibelScale() {
        #expect(abs(Decibels.amplitude(-6.020_599_913) - 0.5) < 1e-9)
        #expect(Decibels.amplitude(-.infinity) == 0)
        #expect(Decibels.level(-10) == 20)
        #expect(Decibels.level(0) == -.infinity)
    }

    @Test("A gain change is a straight line over its ramp, however the samples are cut")
    func gainRamp() throws {
        for chunk in [1, 3, 100] {
            var gain = try Gain(1, rampLength: 10)
            try gain.set(2)
            var samples = [Float](repeating: 1, count: 30)
            for start in stride(from: 0, to: 30, by: chunk) {
                var part = Array(samples[start..<min(30, start + chunk)])
                var span = part.mutableSpan
                gain.step(&span)
                samples.replaceSubrange(start..<start + part.count, with: part)
            }
            for index in 0..<10 { #expect(abs(samples[index] - (1 + Float(index) / 10)) < 1e-6) }
            #expect(samples[10...].allSatisfy { $0 == 2 })
        }
        var gain = try Gain(1)
        #expect(throws: DSPError.self) { try gain.set(.nan) }
        #expect(gain.target == 1)
        #expect(throws: DSPError.self) { _ = try Gain(1, rampLength: -1) }
        #expect(throws: DSPError.self) { _ = try Gain(1, channels: 0) }
    }

    @Test("A constant offset is removed and speech frequencies are not touched")
    func dcBlocker() throws {
        var samples = tone(200, rate: 24_000, count: 48_000, amplitude: 0.5).map { $0 + 0.25 }
        try DCBlocker.apply(to: &samples, sampleRate: 24_000)
        let mean = samples[24_000...].map(Double.init).reduce(0, +) / 24_000
        #expect(abs(mean) < 1e-4)
        let fit = ToneFit(samples, hertz: 200, rate: 24_000, over: 24_000..<48_000)
        #expect(abs(decibels(fit.amplitude / 0.5)) < 0.01)
        // -3 dB at the corner: a first-order high-pass.
        var corner = tone(5, rate: 24_000, count: 96_000, amplitude: 1)
        try DCBlocker.apply(to: &corner, sampleRate: 24_000)
        let low = ToneFit(corner, hertz: 5, rate: 24_000, over: 48_000..<96_000)
        #expect(abs(decibels(low.amplitude) + 3.01) < 0.02)
    }

    @Test("The corner and the level above it are those of a first-order high-pass, for high corners too")
    func dcCorner() throws {
        for corner in [5.0, 80, 2900] {
            for hertz in [corner, 3 * corner, 10_900] {
                var samples = tone(hertz, rate: 24_000, count: 96_000)
                try DCBlocker.apply(to: &samples, sampleRate: 24_000, corner: corner)
                let fit = ToneFit(samples, hertz: hertz, rate: 24_000, over: 48_000..<96_000)
                // The bilinear transform of s / (s + ω).
                let ratio = tan(.pi * corner / 24_000) / tan(.pi * hertz / 24_000)
                let expected = -10 * log10(1 + ratio * ratio)
                #expect(abs(decibels(fit.amplitude) - expected) < 1e-3, "\(corner) Hz, at \(hertz) Hz")
            }
        }
    }

    @Test("A recording that is nothing but an offset becomes silence, from its first sample")
    func onlyOffset() throws {
        var samples = [Float](repeating: 0.3, count: 1000)
        samples[500] = .nan
        try DCBlocker.apply(to: &samples, sampleRate: 24_000)
        #expect(samples.allSatisfy { $0 == 0 })
        #expect(throws: DSPError.self) { _ = try DCBlocker(sampleRate: 24_000, corner: 0) }
        #expect(throws: DSPError.self) { _ = try DCBlocker(sampleRate: 24_000, corner: 4000) }
        #expect(throws: DSPError.self) { _ = try DCBlocker(sampleRate: -1) }
    }

    @Test("DC removal of interleaved channels, in pieces, is that of each channel alone")
    func dcChannels() throws {
        var noise = SeededGenerator(seed: 51)
        let (left, right) = (noise.floats(500), noise.floats(500))
        var interleaved = zip(left, right).flatMap { [$0, $1] }
        var blocker = try DCBlocker(sampleRate: 24_000, channels: 2)
        for start in stride(from: 0, to: 1000, by: 90) {
            var part = Array(interleaved[start..<min(1000, start + 90)])
            var span = part.mutableSpan
            blocker.step(&span)
            interleaved.replaceSubrange(start..<start + part.count, with: part)
        }
        var alone = right
        try DCBlocker.apply(to: &alone, sampleRate: 24_000)
        #expect(stride(from: 1, to: 1000, by: 2).map { interleaved[$0] } == alone)
    }

    @Test("Silence at the ends goes but for the margin; pauses inside stay")
    func trim() throws {
        let zeros = [Float](repeating: 0.001, count: 100)
        let samples = zeros + [0.5] + zeros + [-0.5] + zeros
        #expect(try SilenceTrimmer.range(in: samples, margin: 10) == 90..<212)
        #expect(try SilenceTrimmer.range(in: samples, margin: 0) == 100..<202)
        #expect(try SilenceTrimmer.range(in: samples, margin: 1000) == 0..<302)
        #expect(try SilenceTrimmer.range(in: samples, margin: Int.max / 4) == 0..<302)
        #expect(try SilenceTrimmer.trim(zeros, margin: 10).isEmpty)
        #expect(try SilenceTrimmer.trim([], margin: 10).isEmpty)
        #expect(try SilenceTrimmer.range(in: [.nan, 0.5, .infinity], margin: 0) == 1..<2)
        #expect(throws: DSPError.self) { _ = try SilenceTrimmer.trim([], margin: -1) }
        #expect(throws: DSPError.self) { _ = try SilenceTrimmer.trim([], threshold: 3, margin: 0) }
    }

    @Test("The trimming stream gives what the whole recording gives, however it is cut")
    func trimStream() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        for channels in [1, 2] {
            for margin in [0, 1, 7, 60] {
                for round in 0..<20 {
                    // Silence, sound and silence of random lengths, some of them none.
                    var input: [Float] = []
                    for part in 0..<Int.random(in: 0...5, using: &noise) {
                        let count = Int.random(in: 0...80, using: &noise) * channels
                        input +=
                            part % 2 == round % 2 ? [Float](repeating: 0, count: count) : noise.floats(count)
                    }
                    let expected = try SilenceTrimmer.trim(input, margin: margin, channels: channels)
                    var trimmer = try SilenceTrimmer(margin: margin, longestPause: 200, channels: channels)
                    var output: [Float] = []
                    var rest = input[...]
                    while !rest.isEmpty {
                        let count = min(rest.count, Int.random(in: 1...30, using: &noise) * channels)
                        output += trimmer.step(Array(rest.prefix(count)))
                        rest = rest.dropFirst(count)
                    }
                    output += trimmer.finish()
                    #expect(output == expected, "margin \(margin), \(channels) channels, seed \(seed)")
                }
            }
        }
    }

    @Test("A pause longer than the stream can hold is passed on, and only the rest of it trimmed")
    func longPause() throws {
        var trimmer = try SilenceTrimmer(margin: 5, longestPause: 20)
        let output = trimmer.step([1] + [Float](repeating: 0, count: 100)) + trimmer.finish()
        #expect(output.count == 1 + 80 + 5)
        #expect(throws: DSPError.self) { _ = try SilenceTrimmer(margin: 5, longestPause: 4) }
        #expect(throws: DSPError.self) { _ = try SilenceTrimmer(margin: 5, longestPause: Int.max) }
        #expect(throws: DSPError.self) { _ = try SilenceTrimmer(margin: 0, longestPause: 0, channels: 0) }
    }
}

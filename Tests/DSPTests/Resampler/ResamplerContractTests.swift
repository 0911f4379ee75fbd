import TestSupport
import Testing

@testable import DSP

@Suite("Resampler: lengths, delay and bad input")
struct ResamplerContractTests {
    @Test("n frames become ⌈n·L/M⌉, also when the stream is long")
    func length() throws {
        for (from, to, up, down) in [
            (22_050.0, 24_000.0, 160, 147), (24_000, 22_050, 147, 160), (48_000, 8000, 1, 6),
            (16_000, 44_100, 441, 160), (22_050, 24_001, 24_001, 22_050),
        ] {
            for count in [1, 2, 146, 147, 148, 1000, 22_050] {
                let output = try resampled([Float](repeating: 0.5, count: count), from: from, to: to)
                #expect(output.count == (count * up + down - 1) / down, "\(count) from \(from) to \(to)")
            }
        }
        #expect(try resampled([Float](repeating: 0, count: 22_050), from: 22_050, to: 24_000).count == 24_000)
        let filter = try ResamplerFilter(from: 22_050, to: 24_000)
        // A year of audio, where the product passes 32 bits and a Double its integers.
        #expect(filter.outputFrames(for: 22_050 * 31_536_000) == 24_000 * 31_536_000)
        #expect(filter.outputFrames(for: Int.max) == Int.max)
    }

    @Test("An impulse at n lands at n·160/147, and its response is symmetric about that")
    func impulse() throws {
        for place in [147, 294, 441, 500, 777] {
            var input = [Float](repeating: 0, count: 1200)
            input[place] = 1
            let output = try resampled(input, from: 22_050, to: 24_000, .veryHigh)
            let (sum, moment) = output.enumerated().reduce((0.0, 0.0)) { total, next in
                (total.0 + Double(next.element), total.1 + Double(next.element) * Double(next.offset))
            }
            #expect(abs(moment / sum - Double(place) * 160 / 147) < 1e-4)
            if place % 147 == 0 {
                let centre = place / 147 * 160
                #expect(output.indices.max { output[$0] < output[$1] } == centre)
                for offset in 1...100 {
                    #expect(abs(output[centre - offset] - output[centre + offset]) < 1e-7)
                }
            }
        }
    }

    @Test("A constant stays the constant, away from the ends")
    func constant() throws {
        for (from, to) in ResamplerStreamTests.rates where from < 100_000 {
            let output = try resampled([Float](repeating: 0.75, count: 6000), from: from, to: to)
            let margin = output.count / 4
            for sample in output[margin..<output.count - margin] { #expect(abs(sample - 0.75) < 1e-6) }
        }
    }

    @Test("Equal rates pass every sample as it is")
    func identity() throws {
        let input: [Float] = [0, 1, -1, 3.5, .leastNonzeroMagnitude, -0.1]
        #expect(try resampled(input, from: 24_000, to: 24_000) == input)
        #expect(try Resampler.resample(input, from: 44_100, to: 44_100) == input)
    }

    @Test("NaN and infinity are taken as silence")
    func notFinite() throws {
        var noise = SeededGenerator(seed: 6)
        var clean = noise.floats(3000)
        var dirty = clean
        for (index, bad) in [(100, Float.nan), (1500, .infinity), (1501, -.infinity), (2999, .signalingNaN)] {
            clean[index] = 0
            dirty[index] = bad
        }
        for (from, to) in ResamplerStreamTests.rates {
            let output = try resampled(dirty, from: from, to: to)
            let expected = try resampled(clean, from: from, to: to)
            #expect(output == expected)
            #expect(output.allSatisfy { $0.isFinite })
        }
    }

    @Test("Rates that are no rates, and rates too far apart, are refused with the value given")
    func badRates() {
        for rate in [0, -1, -.infinity, .infinity, -22_050.0] {
            #expect(throws: DSPError.invalidRate(hertz: rate)) { _ = try Resampler(from: rate, to: 24_000) }
            #expect(throws: DSPError.invalidRate(hertz: rate)) { _ = try Resampler(from: 24_000, to: rate) }
        }
        #expect(throws: DSPError.self) { _ = try Resampler(from: .nan, to: 24_000) }
        #expect(throws: DSPError.unsupportedRatio(from: 1, to: 24_000)) {
            _ = try Resampler(from: 1, to: 24_000)
        }
        #expect(throws: DSPError.unsupportedRatio(from: 4e9, to: 24_000)) {
            _ = try Resampler.resample([1, 2, 3], from: 4e9, to: 24_000)
        }
        #expect(throws: DSPError.invalidRate(hertz: 0)) { _ = try Resampler.resample([], from: 0, to: 1) }
    }

    @Test("Extreme rates within a factor of 256 work")
    func extremeRates() throws {
        for (from, to) in [(1.0, 256.0), (256, 1), (4e9, 3_999_999_999), (4e9, 4e9 / 255), (1e-3, 1.1e-3)] {
            let output = try Resampler.resample([Float](repeating: 1, count: 600), from: from, to: to)
            let expected = (600 * to / from).rounded(.up)
            #expect(abs(Double(output.count) - expected) <= 1, "\(from) to \(to)")
            #expect(output.allSatisfy { $0.isFinite })
        }
    }

    @Test("Channel counts out of range and partial frames are refused; empty input is empty output")
    func shapes() throws {
        for channels in [0, -1, 65, Int.max] {
            #expect(throws: DSPError.invalidChannelCount(channels, allowed: 1...64)) {
                _ = try Resampler(from: 22_050, to: 24_000, channels: channels)
            }
        }
        #expect(throws: DSPError.invalidChannelCount(0, allowed: 1...64)) {
            _ = try Resampler.resample([1], from: 22_050, to: 24_000, channels: 0)
        }
        #expect(throws: DSPError.partialFrame(samples: 3, channels: 2)) {
            _ = try Resampler.resample([1, 2, 3], from: 22_050, to: 24_000, channels: 2)
        }
        #expect(try Resampler.resample([], from: 22_050, to: 24_000).isEmpty)
        var resampler = try Resampler(from: 22_050, to: 24_000)
        let nothing = resampler.finish() + resampler.step([]) + resampler.finish()
        #expect(nothing.isEmpty)
    }

    @Test("Irrational ratios become fractions as near as 64 bits tell")
    func fractions() throws {
        let ratio = try RateRatio(from: 44_099.7, to: 48_000.123)
        #expect(abs(Double(ratio.up) / Double(ratio.down) - 48_000.123 / 44_099.7) < 1e-15)
        #expect(try RateRatio(from: 22_050, to: 24_000) == RateRatio(from: 11_025, to: 12_000))
        #expect(try RateRatio(from: 22_050.5, to: 44_101) == RateRatio(from: 1, to: 2))
    }
}

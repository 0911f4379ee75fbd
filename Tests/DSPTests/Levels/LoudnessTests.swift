import Foundation
import TestSupport
import Testing

@testable import DSP

/// A line of Golden/DSP/levels/loudness.txt.
private struct Measured: CustomTestStringConvertible, Sendable {
    var rate: Double
    var channels: Int
    var loudness: Double
    var truePeak: Double
    var segments: [[Double]]
    var testDescription: String { "\(rate) Hz, \(channels) channels, \(segments)" }

    static let all: [Measured] = {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Golden/DSP/levels/loudness.txt")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Measured(
                rate: Double(words[0]) ?? 0, channels: Int(words[1]) ?? 0, loudness: Double(words[2]) ?? 0,
                truePeak: Double(words[3]) ?? 0,
                segments: words[4...].map { $0.split(separator: ":").map { Double($0) ?? 0 } })
        }
    }()

    /// As the generator's description says.
    var samples: [Float] {
        var (samples, n, s): ([Float], Int, UInt32) = ([], 0, 1)
        for segment in segments {
            for _ in 0..<Int((segment[2] * rate).rounded()) {
                for channel in 0..<channels {
                    if segment[0] > 0 {
                        let angle = 2 * .pi * segment[0] * Double(n) / rate + Double(channel)
                        samples.append(Float(segment[1] * sin(angle)))
                    } else {
                        s = 1_664_525 &* s &+ 1_013_904_223
                        samples.append(Float(segment[1] * (Double(s) / 0x1p31 - 1)))
                    }
                }
                n += 1
            }
        }
        return samples
    }
}

@Suite("Loudness and peaks")
struct LoudnessTests {
    @Test(
        "Integrated loudness is within 0.1 LU of libebur128's, at every rate and channel count",
        arguments: Measured.all)
    fileprivate func agreesWithEBUR128(measured: Measured) throws {
        let found = try LoudnessMeter.loudness(
            of: measured.samples, sampleRate: measured.rate, channels: measured.channels)
        let loudness = try #require(found)
        #expect(abs(loudness - measured.loudness) < 0.1)
    }

    @Test("The golden file is there") func goldenFile() { #expect(Measured.all.count == 12) }

    @Test("True peaks are within 0.3 dB of what 16-fold Fourier interpolation finds", arguments: Measured.all)
    fileprivate func truePeak(measured: Measured) throws {
        let peak = try PeakMeter.truePeak(of: measured.samples, channels: measured.channels)
        #expect(abs(Decibels.level(Double(peak)) - measured.truePeak) < 0.3)
    }

    /// Stereo 1 kHz tones, (dBFS, seconds), of EBU Tech 3341 section 2.9: all read -23 LUFS within 0.1.
    @Test(
        "The tones of EBU Tech 3341 read as it says",
        arguments: [
            [(-23.0, 20.0)], [(-36, 10), (-23, 60), (-36, 10)],
            [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)], [(-26, 20), (-20, 20.1), (-26, 20)],
        ])
    func tech3341(segments: [(Double, Double)]) throws {
        var meter = try LoudnessMeter(sampleRate: 48_000, channels: 2)
        for (level, seconds) in segments {
            let mono = tone(
                1000, rate: 48_000, count: Int(seconds * 48_000), amplitude: Decibels.amplitude(level))
            meter.step(mono.flatMap { [$0, $0] })
        }
        let found = meter.integrated
        let loudness = try #require(found)
        #expect(abs(loudness + 23) < 0.1)
    }

    @Test("Silence, and anything under 400 ms, has no loudness")
    func nothing() throws {
        #expect(try LoudnessMeter.loudness(of: [], sampleRate: 24_000) == nil)
        #expect(
            try LoudnessMeter.loudness(of: [Float](repeating: 0, count: 48_000), sampleRate: 24_000) == nil)
        let short = tone(1000, rate: 24_000, count: 9599)
        #expect(try LoudnessMeter.loudness(of: short, sampleRate: 24_000) == nil)
        let nan = [Float](repeating: .nan, count: 48_000)
        #expect(try LoudnessMeter.loudness(of: nan, sampleRate: 24_000) == nil)
    }

    @Test("A meter fed in pieces reads what one pass reads, and is as new after reset")
    func chunks() throws {
        var noise = SeededGenerator(seed: 31)
        let input = noise.floats(40_000)
        let expected = try LoudnessMeter.loudness(of: input, sampleRate: 16_000)
        var meter = try LoudnessMeter(sampleRate: 16_000)
        for _ in 0..<2 {
            for start in stride(from: 0, to: input.count, by: 777) {
                meter.step(Array(input[start..<min(input.count, start + 777)]))
            }
            let loudness = meter.integrated
            #expect(loudness == expected)
            meter.reset()
        }
    }

    @Test("Normalised recordings measure the loudness asked for, and do not pass the ceiling")
    func normalize() throws {
        let input = Measured.all[2].samples
        for target in [-30.0, -23, -16] {
            let (output, _) = try LoudnessMeter.normalize(input, to: target, sampleRate: 24_000)
            #expect(output.count == input.count)
            let loudness = try #require(try LoudnessMeter.loudness(of: output, sampleRate: 24_000))
            #expect(abs(loudness - target) < 0.1)
        }
        let (loud, _) = try LoudnessMeter.normalize(input, to: 0, sampleRate: 24_000, ceiling: -1)
        #expect(loud.allSatisfy { abs($0) <= Float(Decibels.amplitude(-1)) })
        let silence = [Float](repeating: 0, count: 24_000)
        let (unchanged, gain) = try LoudnessMeter.normalize(silence, to: -16, sampleRate: 24_000)
        #expect(unchanged == silence && gain == 0)
    }

    @Test(
        "A tone at a quarter of the rate that misses its tops reads 3 dB low by samples, right by true peak")
    func betweenSamples() throws {
        let input = tone(6000, rate: 24_000, count: 2400, amplitude: 0.9, phase: .pi / 4)
        var meter = try PeakMeter()
        meter.step(input)
        meter.finish()
        let (sample, truth) = (meter.samplePeak, meter.truePeak)
        #expect(abs(Decibels.level(Double(sample) / 0.9) + 3.01) < 0.01)
        // The tone's sudden start and end overshoot a little.
        #expect(abs(Decibels.level(Double(truth) / 0.9)) < 0.7)
        var middle = try PeakMeter()
        middle.step(
            tone(6000, rate: 24_000, count: 2400, amplitude: 0.9, phase: .pi / 4).enumerated().map {
                $0.element * EdgeFadeTests.window($0.offset, of: 2400)
            })
        middle.finish()
        let faded = middle.truePeak
        #expect(abs(Decibels.level(Double(faded) / 0.9)) < 0.02)
    }

    @Test("Peak normalisation brings the true peak to the level, and leaves silence alone")
    func peakNormalize() throws {
        var noise = SeededGenerator(seed: 32)
        let samples = noise.floats(5000).map { $0 * 0.1 }
        let (result, gain) = try PeakMeter.normalize(samples, to: -1)
        let peak = try PeakMeter.truePeak(of: result)
        #expect(abs(Decibels.level(Double(peak)) + 1) < 0.001)
        #expect(abs(Decibels.level(Double(try PeakMeter.truePeak(of: samples))) + gain + 1) < 0.001)
        let silence = try PeakMeter.normalize([0, 0, .nan])
        #expect(silence.samples == [0, 0, 0] && silence.gain == 0)
        // Where the filter itself would overflow, the finite points count.
        let huge = try PeakMeter.normalize([3e38, -3e38, 3e38, 3e38, 0, .infinity], to: 0)
        #expect(huge.samples.allSatisfy { abs($0) <= 1.001 } && huge.samples[0] > 0.5 && huge.samples[5] == 0)
        for level in [Double.nan, .infinity, 61, -201] {
            #expect(throws: DSPError.self) { _ = try PeakMeter.normalize([1], to: level) }
        }
        #expect(throws: DSPError.partialFrame(samples: 3, channels: 2)) {
            _ = try PeakMeter.truePeak(of: [1, 2, 3], channels: 2)
        }
        var meter = try PeakMeter(channels: 2)
        meter.step([0.25, 0.5, 1])
        let whole = meter.samplePeak
        #expect(whole == 0.5)
    }

    @Test("Rates and channel counts out of range are refused")
    func badInput() {
        for rate in [0, -1, .nan, .infinity, 1, 4e9] {
            #expect(throws: DSPError.self) { _ = try LoudnessMeter(sampleRate: rate) }
        }
        for channels in [0, -1, 7] {
            #expect(throws: DSPError.self) { _ = try LoudnessMeter(sampleRate: 48_000, channels: channels) }
        }
        #expect(throws: DSPError.partialFrame(samples: 3, channels: 2)) {
            _ = try LoudnessMeter.loudness(of: [0, 0, 0], sampleRate: 48_000, channels: 2)
        }
        #expect(throws: DSPError.invalidChannelCount(0, allowed: 1...64)) { _ = try PeakMeter(channels: 0) }
    }
}

extension EdgeFadeTests {
    /// A raised cosine over the whole length.
    static func window(_ index: Int, of count: Int) -> Float {
        Float(0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(count)))
    }
}

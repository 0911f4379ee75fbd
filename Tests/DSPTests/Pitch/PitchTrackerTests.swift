import Foundation
import TestSupport
import Testing

@testable import DSP

@Suite("Following the pitch of a voice")
struct PitchTrackerTests {
    @Test(
        "A steady voice has its frequency within 0.3 %, at any sample rate",
        arguments: [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000], [61.0, 83.3, 120, 211, 333, 495])
    func steady(sampleRate: Int, hertz: Double) throws {
        let sound = harmonicVoice(seconds: 0.6, sampleRate: sampleRate) { _ in hertz }
        let frames = try PitchTracker.track(sound, sampleRate: Double(sampleRate))
        let inside = frames.dropFirst(10).dropLast(10)
        #expect(!inside.isEmpty)
        for frame in inside {
            #expect(abs(Double(frame.frequency) / hertz - 1) < 0.003, "\(frame)")
            #expect(frame.strength > 0.95 && frame.strength <= 1)
        }
    }

    @Test("A gliding voice is measured where the frame is")
    func glide() throws {
        let sound = harmonicVoice(seconds: 0.8, sampleRate: 22_050) { 100 + 300 * $0 }
        let frames = try PitchTracker.track(sound, sampleRate: 22_050).dropFirst(10).dropLast(10)
        let errors = frames.map { frame in
            Double(frame.frequency) / (100 + 300 * Double(frame.position) / 22_050) - 1
        }
        for error in errors { #expect(abs(error) < 0.01) }
        // Frames late or early by one would be wrong by 0.8 % on average.
        let mean = errors.reduce(0, +) / Double(errors.count)
        #expect(abs(mean) < 0.001, "\(mean)")
    }

    @Test("On real speech it agrees with Praat")
    func speech() throws {
        let frames = try PitchTracker.track(JoeSpeech.samples, sampleRate: Double(JoeSpeech.sampleRate))
        var (both, onlyPraat, ratios) = (0, 0, [Double]())
        for praat in JoeSpeech.pitch where praat.hertz > 0 {
            let position = Int(praat.seconds * Double(JoeSpeech.sampleRate))
            let frame = try #require(frames.min { abs($0.position - position) < abs($1.position - position) })
            guard frame.isVoiced else {
                onlyPraat += 1
                continue
            }
            both += 1
            ratios.append(Double(frame.frequency) / praat.hertz)
        }
        #expect(onlyPraat <= both / 50)
        #expect(abs(median(ratios) - 1) < 0.002)
        #expect(ratios.count { abs($0 - 1) < 0.05 } >= ratios.count * 95 / 100)
        let voiced = frames.filter(\.isVoiced).map { Double($0.frequency) }
        let praat = try #require(JoeSpeech.summary["median_f0"])
        #expect(abs(median(voiced) / praat - 1) < 0.02)
    }

    @Test("Silence, a constant and white noise have no pitch")
    func unvoiced() throws {
        var noise = SeededGenerator(seed: 1)
        let sounds = [
            [Float](repeating: 0, count: 22_050), [Float](repeating: 0.5, count: 22_050),
            noise.floats(5 * 22_050, limit: 0.3),
        ]
        for sound in sounds {
            let frames = try PitchTracker.track(sound, sampleRate: 22_050)
            #expect(frames.count { $0.isVoiced } == 0)
        }
    }

    @Test("There is a frame for every hop begun, none for no samples")
    func count() throws {
        let hop = try PitchTracker(sampleRate: 16_000).hop
        #expect(hop == 80)
        for count in [0, 1, 79, 80, 81, 160, 4_000] {
            let frames = try PitchTracker.track([Float](repeating: 0.1, count: count), sampleRate: 16_000)
            #expect(frames.count == (count + hop - 1) / hop)
            #expect(frames.enumerated().allSatisfy { $0.element.position == $0.offset * hop })
        }
    }

    @Test(
        "Any chunking, after a reset or a finish, beside another stream, gives the same frames, on time",
        arguments: 1...4)
    func streaming(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sound = Array(JoeSpeech.samples[11_000..<44_000])
        let whole = try PitchTracker.track(sound, sampleRate: 22_050)
        var tracker = try PitchTracker(sampleRate: 22_050)
        var other = try PitchTracker(sampleRate: 22_050)
        for pass in ["reset", "finish", "after finish"] {
            var frames = [PitchFrame]()
            var next = 0
            while next < sound.count, pass != "reset" || next < 20_000 {
                let end = min(sound.count, next + Int.random(in: 0...900, using: &random))
                frames += tracker.step(Array(sound[next..<end]))
                next = end
                let due = max(0, (next - tracker.latency + tracker.hop) / tracker.hop)
                #expect(frames.count == due, "seed \(seed)")
                _ = other.step(Array(sound[..<50]))
            }
            if pass == "reset" {
                tracker.reset()
            } else {
                frames += tracker.finish()
                #expect(frames == whole, "seed \(seed), \(pass)")
            }
        }
    }

    @Test("Samples that are not finite count as 0, and huge ones do no harm")
    func notFinite() throws {
        var sound = harmonicVoice(seconds: 0.5, sampleRate: 16_000) { _ in 120 }
        var silenced = sound
        for (i, bad) in [Float.nan, .infinity, -.infinity].enumerated() {
            sound[3_000 + 700 * i] = bad
            silenced[3_000 + 700 * i] = 0
        }
        #expect(
            try PitchTracker.track(sound, sampleRate: 16_000)
                == PitchTracker.track(silenced, sampleRate: 16_000))
        sound[4_000] = .greatestFiniteMagnitude
        #expect(try PitchTracker.track(sound, sampleRate: 16_000).allSatisfy { $0.frequency.isFinite })
    }

    @Test("Rates outside 8 to 48 kHz are refused")
    func refusals() {
        for rate in [-Double.infinity, -1, 0, .nan, 1, 7_999, 48_001, 4e9, .infinity] {
            #expect(throws: DSPError.self) { _ = try PitchTracker.track([], sampleRate: rate) }
        }
    }

    @Test("Outputs too small for the frames lose nothing, and a step after finish starts a new stream")
    func shortOutputs() throws {
        let sound = harmonicVoice(seconds: 0.5, sampleRate: 16_000) { 120 + 60 * $0 }
        let whole = try PitchTracker.track(sound, sampleRate: 16_000)
        var tracker = try PitchTracker(sampleRate: 16_000)
        var buffer = [PitchFrame](repeating: .unvoiced, count: 2)
        for _ in 0..<2 {
            var frames = [PitchFrame]()
            var next = 0
            var isStuck = false
            while next < sound.count, !isStuck {
                var output = buffer.mutableSpan
                let count = tracker.step(
                    sound.span.extracting(next..<min(sound.count, next + 900)), into: &output)
                next += count.consumed
                frames += buffer[..<count.produced]
                isStuck = count.consumed == 0
            }
            #expect(!isStuck)
            while true {
                var output = buffer.mutableSpan
                let count = tracker.finish(into: &output)
                if count == 0 { break }
                frames += buffer[..<count]
            }
            #expect(frames == whole)
        }
        var none = [PitchFrame]()
        var output = none.mutableSpan
        _ = tracker.step(sound.span, into: &output)
        let rest = tracker.remainingOutput
        #expect(rest >= 0)
    }
}

import Foundation
import TestSupport
import Testing

@testable import DSP

@Suite("Pitch and tempo of sounds that are no voice")
struct TimePitchSoundTests {
    @Test("Silence stays silence", arguments: timePitchRatios)
    func silence(pitch: Double, tempo: Double) throws {
        let result = try TimePitch.process(
            [Float](repeating: 0, count: 30_000), sampleRate: 22_050, pitch: pitch, tempo: tempo)
        #expect(result.allSatisfy { $0 == 0 })
        // And silence between sounds, a hundredth of a second and the filter's reach away from them.
        let sound = JoeSpeech.samples[..<30_000] + [Float](repeating: 0, count: 22_050)
        let spoken = try TimePitch.process(Array(sound), sampleRate: 22_050, pitch: pitch, tempo: tempo)
        #expect(spoken[Int((30_000 + 900) / tempo)...].allSatisfy { $0 == 0 })
    }

    @Test("Noise passes untouched when only the pitch changes", arguments: [0.5, 0.8, 1.3, 2])
    func noiseAtPitch(pitch: Double) throws {
        var noise = SeededGenerator(seed: 7)
        let sound = noise.floats(60_000, limit: 0.3)
        #expect(try TimePitch.process(sound, sampleRate: 22_050, pitch: pitch) == sound)
    }

    @Test("Stretched noise keeps its level and gets no buzz", arguments: [0.5, 0.75, 1.5, 2])
    func noiseAtTempo(tempo: Double) throws {
        var noise = SeededGenerator(seed: 8)
        let sound = noise.floats(100_000, limit: 0.3)
        let result = try TimePitch.process(sound, sampleRate: 22_050, tempo: tempo)
        #expect(abs(20 * log10(level(result) / level(sound))) < 0.15)
        // A buzz of 33 to 500 Hz would be a peak of the autocorrelation.
        for lag in 44...660 {
            let likeness = result.span.correlation(from: 0, result.span, from: lag, count: result.count - lag)
            #expect(abs(likeness) < 0.05, "lag \(lag): \(likeness)")
        }
        // And a flutter one of the level from 5 ms to 5 ms.
        let levels = { (samples: [Float]) in
            Swift.stride(from: 0, to: samples.count - 110, by: 110).map { level(samples[$0..<$0 + 110]) }
        }
        #expect(spread(levels(result)) < 1.2 * spread(levels(sound)))
    }

    @Test(
        "Clicks and bursts come once each, whole and in time", arguments: [0.5, 0.7, 0.9, 1.1, 1.5, 2],
        [0, 0.002])
    func onsets(tempo: Double, floor: Float) throws {
        var random = SeededGenerator(seed: 9)
        var sound = random.floats(5 * 22_050, limit: floor)
        var places = [Int]()
        var place = 3_000
        while place < sound.count - 3_000 {
            for i in 0..<60 {
                sound[place + i] += 0.5 * exp(-Float(i) / 12) * (Bool.random(using: &random) ? 1 : -1)
            }
            places.append(place)
            place += Int.random(in: 2_200...6_600, using: &random)
        }
        let result = try TimePitch.process(sound, sampleRate: 22_050, tempo: tempo)
        // Where a burst is due it is found sample for sample, at most 1.5 ms off; taken out, nothing like it
        // is left.
        var rest = result
        for place in places {
            let due = Int((Double(place) / tempo).rounded())
            let burst = Array(sound[place..<place + 60])
            let found = try #require(
                (due - 33...due + 33).max {
                    likeness(burst, result, at: $0) < likeness(burst, result, at: $1)
                })
            #expect(likeness(burst, result, at: found) > 0.999)
            #expect(abs(level(result[found..<found + 60]) / level(burst) - 1) < 0.01)
            for i in -2..<80 { rest[found + i] = 0 }
        }
        let loudest = rest.map { abs($0) }.max() ?? 1
        #expect(loudest <= max(1.5 * floor, 0.002), "\(loudest)")
    }

    private func likeness(_ burst: [Float], _ sound: [Float], at position: Int) -> Float {
        burst.span.correlation(from: 0, sound.span, from: position, count: burst.count)
    }

    /// Standard deviation over mean.
    private func spread(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
        return variance.squareRoot() / mean
    }

    @Test("A steady voice keeps its waveform when only the tempo changes", arguments: [0.5, 0.8, 1.25, 2])
    func steadyVoice(tempo: Double) throws {
        // 110.25 Hz: a period of 200 samples, so that repeating or leaving out periods changes nothing.
        let sound = harmonicVoice(seconds: 1, sampleRate: 22_050) { _ in 110.25 }
        let result = try TimePitch.process(sound, sampleRate: 22_050, tempo: tempo)
        let inside = 4_000..<result.count - 4_000
        let worst = inside.map { abs(result[$0] - result[$0 + 200]) }.max() ?? 1
        #expect(worst < 0.01)
        #expect(abs(level(result[inside]) / level(sound) - 1) < 0.01)
    }

    @Test(
        "A steady voice moves by the ratio within 0.3 %, at any rate", arguments: [8_000, 16_000, 48_000],
        [0.5, 0.9, 1.6, 2])
    func steadyPitch(sampleRate: Int, pitch: Double) throws {
        let sound = harmonicVoice(seconds: 1, sampleRate: sampleRate) { _ in 151 }
        let result = try TimePitch.process(sound, sampleRate: Double(sampleRate), pitch: pitch)
        let frames = try PitchTracker.track(result, sampleRate: Double(sampleRate)).dropFirst(20).dropLast(20)
        for frame in frames { #expect(abs(Double(frame.frequency) / (151 * pitch) - 1) < 0.003, "\(frame)") }
    }
}

import Foundation
import Testing

@testable import DSP

/// The ratios every law is tried at: pitch and tempo.
let timePitchRatios: [(pitch: Double, tempo: Double)] = [
    (0.5, 1), (0.8, 1), (1.25, 1), (2, 1), (1, 0.5), (1, 0.83), (1, 1.4), (1, 2), (0.5, 2), (2, 0.5),
    (0.5, 0.5),
    (2, 2), (1.01, 0.99),
]

@Suite("Pitch and tempo as a stream")
struct TimePitchStreamTests {
    /// Speech, silence, a deep voice, a high one, noise and clicks, one after the other.
    static func mixture(seed: UInt64, sampleRate: Int) -> [Float] {
        var random = NoiseSource(seed: seed)
        var sound = [Float]()
        for _ in 0..<6 {
            let length = Int.random(in: sampleRate / 50...sampleRate / 3, using: &random)
            let seconds = Double(length) / Double(sampleRate)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: sound += [Float](repeating: 0, count: length)
            case 1: sound += random.samples(length, amplitude: 0.4)
            case 2:
                sound += harmonicVoice(seconds: seconds, sampleRate: sampleRate) { 61 + 15 * sin(20 * $0) }
            case 3:
                sound += harmonicVoice(seconds: seconds, sampleRate: sampleRate) { 400 + 90 * sin(9 * $0) }
            case 4:
                var clicks = [Float](repeating: 0, count: length)
                for i in Swift.stride(from: 0, to: length, by: max(1, length / 7)) { clicks[i] = 0.9 }
                sound += clicks
            default:
                let start = Int.random(in: 0..<JoeSpeech.samples.count - length, using: &random)
                sound += JoeSpeech.samples[start..<start + length]
            }
        }
        return sound
    }

    @Test(
        "Any chunking gives the same samples, exactly as many as the stated latency allows", arguments: 1...6)
    func chunking(seed: UInt64) throws {
        var random = NoiseSource(seed: seed)
        for ratio in timePitchRatios {
            let rate =
                [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000].randomElement(using: &random) ?? 8_000
            let sound = Self.mixture(seed: seed, sampleRate: rate)
            let whole = try TimePitch.process(sound, sampleRate: rate, pitch: ratio.pitch, tempo: ratio.tempo)
            var stream = try TimePitch(sampleRate: rate, pitch: ratio.pitch, tempo: ratio.tempo)
            var result = [Float]()
            var next = 0
            while next < sound.count {
                let end = min(
                    sound.count, next + Int.random(in: 0...[3, 700, 9_000][Int(seed % 3)], using: &random))
                result += try stream.give(Array(sound[next..<end]))
                next = end
                let due = max(0, Int((Double(next - stream.latency) / ratio.tempo).rounded(.down)))
                #expect(result.count == due, "seed \(seed), \(ratio), \(rate) Hz")
                let spare = stream.spare
                #expect(spare >= 0, "given before it was complete: seed \(seed), \(ratio), \(rate) Hz")
            }
            result += try stream.end()
            #expect(result == whole, "seed \(seed), \(ratio), \(rate) Hz")
            #expect(result.allSatisfy { $0.isFinite && abs($0) < 4 })
        }
    }

    @Test("What comes after a given sample does not change what the latency has let out")
    func causality() throws {
        let sound = JoeSpeech.samples
        for ratio in timePitchRatios {
            var whole = try TimePitch(sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var cut = try TimePitch(sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var complete = try whole.give(sound)
            complete += try whole.end()
            let given = try cut.give(Array(sound[..<30_011]))
            #expect(given == Array(complete[..<given.count]), "\(ratio)")
        }
    }

    @Test("After reset or finish it is as new, and two streams do not disturb each other")
    func independence() throws {
        let sound = Array(JoeSpeech.samples[..<30_000])
        for ratio in timePitchRatios {
            let whole = try TimePitch.process(
                sound, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var a = try TimePitch(sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var b = try TimePitch(sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            _ = try a.give(Array(sound.reversed()))
            a.reset()
            _ = try b.give(Array(sound.reversed()))
            _ = try b.end()
            var results = ([Float](), [Float]())
            for start in Swift.stride(from: 0, to: sound.count, by: 1_000) {
                results.0 += try a.give(Array(sound[start..<start + 1_000]))
                results.1 += try b.give(Array(sound[start..<start + 1_000]))
            }
            results.0 += try a.end()
            results.1 += try b.end()
            #expect(results.0 == whole, "\(ratio)")
            #expect(results.1 == whole, "\(ratio)")
        }
    }

    @Test("n samples become n / tempo, rounded, however few they are")
    func length() throws {
        for ratio in timePitchRatios {
            for count in [0, 1, 2, 3, 50, 109, 110, 111, 500, 4_001] {
                let sound = Array(JoeSpeech.samples[12_000..<12_000 + count])
                let result = try TimePitch.process(
                    sound, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
                #expect(result.count == Int((Double(count) / ratio.tempo).rounded()), "\(count), \(ratio)")
            }
        }
    }

    @Test("With both ratios 1 every bit passes, at once")
    func identity() throws {
        var stream = try TimePitch(sampleRate: 22_050)
        let latency = stream.latency
        #expect(latency == 0)
        let odd: [Float] = [
            .nan, .infinity, -.infinity, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
        ]
        let sound = odd + JoeSpeech.samples
        let result = try stream.give(sound)
        #expect(result.map(\.bitPattern) == sound.map(\.bitPattern))
        let rest = try stream.end()
        #expect(rest.isEmpty)
        let whole = try TimePitch.process(sound, sampleRate: 22_050, pitch: 1, tempo: 1)
        #expect(whole.map(\.bitPattern) == sound.map(\.bitPattern))
    }

    @Test("Samples that are not finite count as 0, and huge ones do no harm")
    func notFinite() throws {
        var sound = Array(JoeSpeech.samples[10_000..<30_000])
        var silenced = sound
        for (i, bad) in [Float.nan, .infinity, -.infinity, .signalingNaN].enumerated() {
            sound[3_000 + 1_700 * i] = bad
            silenced[3_000 + 1_700 * i] = 0
        }
        for ratio in timePitchRatios {
            let result = try TimePitch.process(
                sound, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            let expected = try TimePitch.process(
                silenced, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            #expect(result == expected, "\(ratio)")
            var huge = sound
            huge[9_000] = -.greatestFiniteMagnitude
            let loud = try TimePitch.process(huge, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            #expect(loud.allSatisfy { $0.isFinite })
        }
    }

    @Test("Ratios and rates that cannot be had are refused with a typed error")
    func refusals() throws {
        for bad in [Double.nan, .infinity, -.infinity, 0, -1, 0.499, 2.001] {
            #expect { _ = try TimePitch.process([], sampleRate: 22_050, pitch: bad) } throws: { error in
                guard case .pitchOutOfRange(let value) = error as? PitchError else { return false }
                return value == bad || value.isNaN && bad.isNaN
            }
            #expect { _ = try TimePitch.process([], sampleRate: 22_050, tempo: bad) } throws: { error in
                guard case .tempoOutOfRange(let value) = error as? PitchError else { return false }
                return value == bad || value.isNaN && bad.isNaN
            }
        }
        for rate in [Int.min, 0, 1, 7_999, 48_001, .max] {
            #expect(throws: PitchError.unsupportedSampleRate(rate)) {
                _ = try TimePitch.process([], sampleRate: rate, pitch: 1.2)
            }
        }
        #expect("\(PitchError.pitchOutOfRange(3))".contains("0.5"))
    }

    @Test("A buffer too short is refused before anything is taken")
    func shortBuffer() throws {
        let sound = Array(JoeSpeech.samples[..<20_000])
        var stream = try TimePitch(sampleRate: 22_050, pitch: 1.5)
        let needed = stream.outputCapacity(forInput: sound.count)
        let latency = stream.latency
        #expect(needed == 20_000 - latency)
        var small = [Float](repeating: 0, count: needed - 1)
        var output = small.mutableSpan
        do {
            _ = try stream.step(sound.span, into: &output)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .outputTooShort(needed: needed, available: needed - 1))
        }
        let result = try stream.give(sound)
        do {
            var empty = [Float]()
            var none = empty.mutableSpan
            _ = try stream.finish(into: &none)
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .outputTooShort(needed: 20_000 - needed, available: 0))
        }
        let rest = try stream.end()
        let whole = try TimePitch.process(sound, sampleRate: 22_050, pitch: 1.5)
        #expect(result + rest == whole)
    }
}

extension TimePitch {
    mutating func give(_ samples: [Float]) throws(PitchError) -> [Float] {
        var result = [Float](repeating: 0, count: outputCapacity(forInput: samples.count))
        var output = result.mutableSpan
        let count = try step(samples.span, into: &output)
        return Array(result[..<count])
    }

    mutating func end() throws(PitchError) -> [Float] {
        var result = [Float](repeating: 0, count: finishCapacity)
        var output = result.mutableSpan
        let count = try finish(into: &output)
        return Array(result[..<count])
    }
}

import Foundation
import TestSupport
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
        var random = SeededGenerator(seed: seed)
        var sound = [Float]()
        for _ in 0..<6 {
            let length = Int.random(in: sampleRate / 50...sampleRate / 3, using: &random)
            let seconds = Double(length) / Double(sampleRate)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: sound += [Float](repeating: 0, count: length)
            case 1: sound += random.floats(length, limit: 0.4)
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
        var random = SeededGenerator(seed: seed)
        for ratio in timePitchRatios {
            let rate =
                [8_000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000].randomElement(using: &random) ?? 8_000
            let sound = Self.mixture(seed: seed, sampleRate: rate)
            let whole = try TimePitch.process(
                sound, sampleRate: Double(rate), pitch: ratio.pitch, tempo: ratio.tempo)
            var stream = try TimePitch(sampleRate: Double(rate), pitch: ratio.pitch, tempo: ratio.tempo)
            var result = [Float]()
            var next = 0
            while next < sound.count {
                let end = min(
                    sound.count, next + Int.random(in: 0...[3, 700, 9_000][Int(seed % 3)], using: &random))
                result += stream.step(Array(sound[next..<end]))
                next = end
                let due = max(0, Int((Double(next - stream.latency) / ratio.tempo).rounded(.down)))
                #expect(result.count == due, "seed \(seed), \(ratio), \(rate) Hz")
                let spare = stream.spare
                #expect(spare >= 0, "given before it was complete: seed \(seed), \(ratio), \(rate) Hz")
            }
            result += stream.finish()
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
            var complete = whole.step(sound)
            complete += whole.finish()
            let given = cut.step(Array(sound[..<30_011]))
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
            _ = a.step(Array(sound.reversed()))
            a.reset()
            _ = b.step(Array(sound.reversed()))
            _ = b.finish()
            var results = ([Float](), [Float]())
            for start in Swift.stride(from: 0, to: sound.count, by: 1_000) {
                results.0 += a.step(Array(sound[start..<start + 1_000]))
                results.1 += b.step(Array(sound[start..<start + 1_000]))
            }
            results.0 += a.finish()
            results.1 += b.finish()
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
        let result = stream.step(sound)
        #expect(result.map(\.bitPattern) == sound.map(\.bitPattern))
        let rest = stream.finish()
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
        func isRefused(_ parameter: String, _ bad: Double, _ error: any Error) -> Bool {
            guard case .invalidParameter(parameter, let value, let allowed) = error as? DSPError else {
                return false
            }
            return (value == bad || value.isNaN && bad.isNaN) && allowed.contains("0.5")
        }
        for bad in [Double.nan, .infinity, -.infinity, 0, -1, 0.499, 2.001] {
            #expect { _ = try TimePitch.process([], sampleRate: 22_050, pitch: bad) } throws: {
                isRefused("pitch ratio", bad, $0)
            }
            #expect { _ = try TimePitch.process([], sampleRate: 22_050, tempo: bad) } throws: {
                isRefused("tempo ratio", bad, $0)
            }
        }
        for rate in [-Double.infinity, -1, 0, .nan, 1, 7_999, 48_001, 4e9, .infinity] {
            #expect(throws: DSPError.self) { _ = try TimePitch.process([], sampleRate: rate, pitch: 1.2) }
        }
    }

    @Test(
        "Outputs too small for the result lose nothing, and a step after finish starts a new stream",
        arguments: 1...4)
    func shortOutputs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let sound = Array(JoeSpeech.samples[..<20_000])
        for ratio in timePitchRatios + [(1, 1)] {
            let whole = try TimePitch.process(
                sound, sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var stream = try TimePitch(sampleRate: 22_050, pitch: ratio.pitch, tempo: ratio.tempo)
            var buffer = [Float](repeating: 0, count: 400)
            for _ in 0..<2 {
                var result = [Float]()
                var next = 0
                var isStuck = false
                while next < sound.count, !isStuck {
                    let room = Int.random(in: 1...[1, 5, 50, 400][Int(seed - 1)], using: &random)
                    let end = min(sound.count, next + 300)
                    var target = buffer.mutableSpan
                    var part = target._mutatingExtracting(first: room)
                    let count = stream.step(sound.span.extracting(next..<end), into: &part)
                    next += count.consumed
                    result += buffer[..<count.produced]
                    isStuck = count.consumed == 0 && count.produced == 0
                }
                #expect(!isStuck, "seed \(seed), \(ratio)")
                while true {
                    var target = buffer.mutableSpan
                    var part = target._mutatingExtracting(first: 7)
                    let count = stream.finish(into: &part)
                    if count == 0 { break }
                    result += buffer[..<count]
                }
                #expect(result == whole, "seed \(seed), \(ratio)")
            }
        }
    }
}

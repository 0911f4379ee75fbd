import TestSupport
import Testing

@testable import DSP

@Suite("Limiter")
struct LimiterTests {
    /// Bursts of harmonics over quiet noise: as uneven as speech.
    private func speechLike(_ count: Int, rate: Double) -> [Float] {
        var noise = SeededGenerator(seed: 41)
        let hiss = noise.floats(count)
        let voices = [
            tone(120, rate: rate, count: count), tone(710, rate: rate, count: count),
            tone(2330, rate: rate, count: count),
        ]
        return (0..<count).map { n in
            let time = Double(n) / rate
            let envelope = Float(max(0, tone(3, rate: rate, count: 1, phase: 2 * .pi * 3 * time)[0]))
            let sum = voices.reduce(Float(0)) { $0 + $1[n] } / 3
            return envelope * envelope * sum * 0.95 + 0.002 * hiss[n]
        }
    }

    @Test(
        "At three times the volume no sample and no true peak passes the ceiling, and length and timing stay")
    func loud() throws {
        for rate in [16_000.0, 22_050, 24_000, 48_000] {
            let input = speechLike(Int(rate) * 2, rate: rate)
            let output = try Limiter.limit(input, sampleRate: rate, ceiling: -1, gain: 3)
            #expect(output.count == input.count)
            let ceiling = Float(Decibels.amplitude(-1))
            #expect(output.allSatisfy { abs($0) <= ceiling })
            #expect((input.max() ?? 0) * 3 > 2)
            let peak = try PeakMeter.truePeak(of: output)
            #expect(Decibels.level(Double(peak)) < -1 + 0.2)
            // Loud, not merely quiet enough.
            #expect(Decibels.level(Double(peak)) > -1.5)
        }
    }

    @Test("Real speech at three times the volume is not clipped, and turned down without a step")
    func realSpeech() throws {
        let input = JoeSpeech.samples
        #expect((input.map(\.magnitude).max() ?? 0) * 3 > 1, "the speech is too quiet to need a limiter")
        let output = try Limiter.limit(input, sampleRate: 22_050, ceiling: -1, gain: 3)
        #expect(output.count == input.count)
        #expect(output.allSatisfy { abs($0) <= Float(Decibels.amplitude(-1)) })
        #expect(Decibels.level(Double(try PeakMeter.truePeak(of: output))) < -1 + 0.2)
        // A triangular average over 5 ms, twice 55 frames, moves by a 55th a frame at most.
        var before: (frame: Int, gain: Float)?
        var lowest: Float = 1
        for frame in input.indices where abs(input[frame]) > 0.01 {
            let gain = output[frame] / (3 * input[frame])
            if let before {
                let most = Float(frame - before.frame) / 55 + 1e-5
                #expect(abs(gain - before.gain) <= most, "at \(frame)")
            }
            before = (frame, gain)
            lowest = min(lowest, gain)
        }
        #expect(lowest < 0.9)
    }

    @Test("The gain is a smooth curve: it makes no click")
    func noClick() throws {
        // A constant shows the gain itself.
        var input = [Float](repeating: 0.25, count: 12_000)
        for index in 5000..<5040 { input[index] = 2 }
        let rate = 24_000.0
        let output = try Limiter.limit(input, sampleRate: rate, ceiling: 0, release: 0.05)
        let gain = zip(output, input).map { $0 / $1 }
        let steps = zip(gain, gain.dropFirst()).map { abs($1 - $0) }
        // Within 5 ms (119 frames): the steepest step of a triangular average is 1/60 of the way.
        let way = 1 - (gain.min() ?? 1)
        #expect(way > 0.5 && way < 0.65)
        #expect((steps.max() ?? 1) < way / 60 * 1.01)
        // No corner either: a step differs from the next by 1/60² of the way.
        let bends = zip(steps, steps.dropFirst()).map { abs($1 - $0) }
        #expect((bends.max() ?? 1) < way / 3600 * 1.1)
        #expect(gain[5020] < 0.5 && gain[4800] == 1)
        #expect(gain[11_999] > 0.998)
    }

    @Test("What stays below the ceiling comes out bit for bit, also long after a peak")
    func transparent() throws {
        var noise = SeededGenerator(seed: 42)
        var input = noise.floats(60_000).map { $0 * 0.2 }
        input[100] = 5
        let output = try Limiter.limit(input, sampleRate: 24_000)
        #expect(Array(output[50_000...]) == Array(input[50_000...]))
        let quiet = Array(input[200...])
        #expect(try Limiter.limit(quiet, sampleRate: 24_000) == quiet)
    }

    @Test("Any chunking gives the same bits; too little room loses nothing; latency is as stated")
    func chunking() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        for channels in [1, 2] {
            let input = noise.floats(3000 * channels).map { $0 * 2 }
            let expected = try Limiter.limit(input, sampleRate: 24_000, channels: channels)
            var limiter = try Limiter(sampleRate: 24_000, channels: channels)
            var buffer = [Float](repeating: 0, count: 300)
            for _ in 0..<2 {
                var output: [Float] = []
                var position = 0
                while position < input.count {
                    let chunk = Array(
                        input[position...].prefix(Int.random(in: 1...200, using: &noise) * channels))
                    let room = Int.random(in: 1...150, using: &noise) * channels
                    var target = buffer.mutableSpan
                    var part = target._mutatingExtracting(first: room)
                    let count = limiter.step(chunk.span, into: &part)
                    position += count.consumed * channels
                    output += buffer[..<(count.produced * channels)]
                    let latency = limiter.latency
                    #expect(output.count == max(0, position / channels - latency) * channels)
                }
                while true {
                    var target = buffer.mutableSpan
                    let count = limiter.finish(into: &target) * channels
                    if count == 0 { break }
                    output += buffer[..<count]
                }
                #expect(output == expected, "\(channels) channels, seed \(seed)")
            }
        }
    }

    @Test("Channels share one gain")
    func stereo() throws {
        var noise = SeededGenerator(seed: 43)
        let input = (0..<4000).flatMap { n in
            [Float(n > 2000 && n < 2100 ? 3 : 0.3), Float.random(in: 0.1...0.2, using: &noise)]
        }
        let output = try Limiter.limit(input, sampleRate: 24_000, channels: 2)
        for frame in 0..<4000 {
            let (left, right) = (
                output[2 * frame] / input[2 * frame], output[2 * frame + 1] / input[2 * frame + 1]
            )
            #expect(abs(left - right) < 1e-5)
        }
    }

    @Test("Extreme, infinite and missing samples stay under the ceiling too")
    func extremes() throws {
        var input: [Float] = [
            .infinity, -.infinity, .nan, .greatestFiniteMagnitude, -1e38, .leastNonzeroMagnitude, 0, 1,
        ]
        input += [Float](repeating: 0.1, count: 1000)
        let output = try Limiter.limit(input, sampleRate: 24_000, gain: 3)
        #expect(output.count == input.count)
        #expect(output.allSatisfy { abs($0) <= 0.8913 })
        #expect(try Limiter.limit([], sampleRate: 24_000).isEmpty)
        #expect(try Limiter.limit([5], sampleRate: 24_000).count == 1)
    }

    @Test("Parameters out of range are refused")
    func badInput() {
        for rate in [0, -1, .nan, .infinity, 1, 4e9] {
            #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: rate) }
        }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, ceiling: 1) }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, gain: .nan) }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, gain: -1) }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, lookAhead: 10) }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, release: 0) }
        #expect(throws: DSPError.self) { _ = try Limiter(sampleRate: 24_000, channels: 0) }
        #expect(throws: DSPError.partialFrame(samples: 1, channels: 2)) {
            _ = try Limiter.limit([1], sampleRate: 24_000, channels: 2)
        }
    }
}

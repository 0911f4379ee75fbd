import Glibc
import TestSupport
import Testing

@testable import DSP

@Suite("Crossfade")
struct CrossfaderTests {
    /// Recordings through the streaming form, in chunks of random sizes.
    private func streamed(_ recordings: [[Float]], length: Int, noise: inout SeededGenerator) throws
        -> [Float]
    {
        var crossfader = try Crossfader(length: length)
        var output: [Float] = []
        for (index, recording) in recordings.enumerated() {
            if index > 0 { crossfader.startNext() }
            var rest = recording[...]
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...40, using: &noise))
                output += crossfader.step(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
        }
        return output + crossfader.finish()
    }

    @Test("The length is the sum of the lengths less the overlaps, in both forms alike")
    func lengths() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        for length in [0, 1, 2, 10, 100] {
            for counts in [
                [], [0], [5], [300, 300], [300, 0, 300], [0, 0, 7], [3, 300, 2, 1, 300], [50, 50, 50],
                [1, 1, 1, 1], [100, 100], [101, 99, 200],
            ] {
                let recordings = counts.map { noise.floats($0) }
                var expected = 0
                for count in counts { expected += count - min(length, expected, count) }
                let joined = Crossfader.join(recordings, length: length)
                #expect(joined.count == expected, "\(counts) by \(length)")
                let stream = try streamed(recordings, length: length, noise: &noise)
                #expect(stream == joined, "\(counts) by \(length), seed \(seed)")
            }
        }
    }

    @Test("The power of unrelated signals stays within 0.1 dB all through the crossfade")
    func constantPower() {
        var noise = SeededGenerator(seed: 21)
        let length = 64
        var power = [Double](repeating: 0, count: length)
        let rounds = 40_000
        for _ in 0..<rounds {
            let joined = Crossfader.join([noise.floats(length), noise.floats(length)], length: length)
            for index in 0..<length { power[index] += Double(joined[index]) * Double(joined[index]) }
        }
        // Even noise over -1 ... 1 has the power 1/3.
        let mean = power.reduce(0, +) / Double(length * rounds)
        #expect(abs(10 * log10(mean * 3)) < 0.02)
        for index in 0..<length { #expect(abs(10 * log10(power[index] / Double(rounds) * 3)) < 0.1) }
    }

    @Test("The gains are cosine and sine of one angle, mirrored about the middle")
    func gains() {
        for index in 0..<100 {
            let (falling, rising) = Crossfader.gains(index, of: 100)
            #expect(abs(falling * falling + rising * rising - 1) < 1e-6)
            let mirrored = Crossfader.gains(99 - index, of: 100)
            #expect(abs(mirrored.rising - falling) < 1e-6)
        }
        let alone = Crossfader.gains(0, of: 1)
        #expect(abs(alone.falling - Float(0.5).squareRoot()) < 1e-6)
    }

    @Test("Equal signals add up to √2 in the middle, as documented, and never more")
    func correlated() {
        let ones = [Float](repeating: 0.7, count: 501)
        let joined = Crossfader.join([ones, ones], length: 501)
        #expect(abs(joined[250] - 0.7 * Float(2).squareRoot()) < 1e-5)
        #expect(joined.allSatisfy { $0 < 0.7 * 1.41422 })
    }

    @Test("Samples outside the overlaps are not touched")
    func untouched() {
        var noise = SeededGenerator(seed: 22)
        let (a, b) = (noise.floats(500), noise.floats(400))
        let joined = Crossfader.join([a, b], length: 100)
        #expect(Array(joined[..<400]) == Array(a[..<400]))
        #expect(Array(joined[500...]) == Array(b[100...]))
    }

    @Test("A crossfader with too little room loses nothing, and is as new after finish")
    func shortOutputs() throws {
        var noise = SeededGenerator(seed: 23)
        let recordings = [noise.floats(300), noise.floats(200)]
        let expected = Crossfader.join(recordings, length: 50)
        var crossfader = try Crossfader(length: 50)
        var buffer = [Float](repeating: 0, count: 13)
        for _ in 0..<2 {
            var output: [Float] = []
            for (index, recording) in recordings.enumerated() {
                if index > 0 { crossfader.startNext() }
                var position = 0
                while position < recording.count {
                    var target = buffer.mutableSpan
                    let count = crossfader.step(Array(recording[position...].prefix(30)).span, into: &target)
                    position += count.consumed
                    output += buffer[..<count.produced]
                }
            }
            while true {
                var target = buffer.mutableSpan
                let count = crossfader.finish(into: &target)
                if count == 0 { break }
                output += buffer[..<count]
            }
            #expect(output == expected)
        }
    }

    @Test("Lengths out of range are refused by the stream and clamped by the list form")
    func badLengths() {
        #expect(throws: DSPError.self) { _ = try Crossfader(length: -1) }
        #expect(throws: DSPError.self) { _ = try Crossfader(length: Int.max) }
        #expect(Crossfader.join([[1, 2], [3]], length: -5) == [1, 2, 3])
        #expect(Crossfader.join([[1, 2], [3]], length: Int.max).count == 2)
    }
}

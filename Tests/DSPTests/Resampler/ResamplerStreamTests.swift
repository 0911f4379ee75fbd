import CKernels
import TestSupport
import Testing

@testable import DSP

@Suite("Resampler: streams")
struct ResamplerStreamTests {
    /// Polyphase up and down, a single phase, a period that leaves lanes idle, interpolated, and equal.
    static let rates: [(Double, Double)] = [
        (22_050, 24_000), (24_000, 22_050), (48_000, 8000), (8000, 48_000), (22_050, 16_000),
        (16_000, 22_050), (22_050, 24_001), (44_099.7, 16_000), (24_000, 24_000), (8000, 8000.5),
        (192_000, 1000), (1000, 192_000),
    ]

    @Test("Any chunking gives the bits of one pass, at every kernel level", arguments: rates)
    func chunking(from: Double, to: Double) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        let input = noise.floats(from > 50_000 ? 60_000 : 9000)
        for quality in ResamplerQuality.allCases {
            let filter = try ResamplerFilter(from: from, to: to, quality: quality)
            for level in kernelLevels {
                var whole = try Resampler(filter, channels: 1, level: level)
                let expected = whole.step(input) + whole.finish()
                for largest in [1, 7, 200, 5000] where largest > 1 || input.count < 10_000 {
                    var stream = try Resampler(filter, channels: 1, level: level)
                    var output: [Float] = []
                    var rest = input[...]
                    while !rest.isEmpty {
                        let count = min(rest.count, Int.random(in: 0...largest, using: &noise))
                        output += stream.step(Array(rest.prefix(count)))
                        rest = rest.dropFirst(count)
                    }
                    output += stream.finish()
                    #expect(
                        output == expected,
                        "\(quality) \(levelName(level)) chunks up to \(largest), seed \(seed)")
                }
            }
        }
    }

    @Test("Outputs too small for the result lose nothing", arguments: rates)
    func shortOutputs(from: Double, to: Double) throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        let input = noise.floats(4000)
        let filter = try ResamplerFilter(from: from, to: to)
        var whole = try Resampler(filter)
        let expected = whole.step(input) + whole.finish()
        var stream = try Resampler(filter)
        var output: [Float] = []
        var buffer = [Float](repeating: 0, count: 997)
        var position = 0
        while position < input.count {
            let room = Int.random(in: 1...buffer.count, using: &noise)
            let chunk = Array(input[position..<min(input.count, position + 300)])
            var target = buffer.mutableSpan
            var part = target._mutatingExtracting(first: room)
            let count = stream.step(chunk.span, into: &part)
            position += count.consumed
            output += buffer[..<count.produced]
        }
        while true {
            var target = buffer.mutableSpan
            let count = stream.finish(into: &target)
            if count == 0 { break }
            output += buffer[..<count]
        }
        #expect(output == expected, "seed \(seed)")
        let remaining = stream.remainingOutput
        #expect(remaining == 0)
    }

    @Test("reset is as good as new, and a step after finish starts a new stream", arguments: rates)
    func reset(from: Double, to: Double) throws {
        var noise = SeededGenerator(seed: 3)
        let (first, second) = (noise.floats(3000), noise.floats(2500))
        let filter = try ResamplerFilter(from: from, to: to)
        var fresh = try Resampler(filter)
        let expected = fresh.step(second) + fresh.finish()
        var used = try Resampler(filter)
        _ = used.step(first)
        used.reset()
        for _ in 0..<2 {
            let again = used.step(second) + used.finish()
            #expect(again == expected)
        }
    }

    @Test("Two streams on one filter, interleaved, are each as alone")
    func sharedFilter() throws {
        var noise = SeededGenerator(seed: 4)
        let (a, b) = (noise.floats(3000), noise.floats(3000))
        let filter = try ResamplerFilter(from: 22_050, to: 24_000)
        var one = try Resampler(filter)
        var other = try Resampler(filter)
        var (left, right): ([Float], [Float]) = ([], [])
        for start in stride(from: 0, to: 3000, by: 300) {
            left += one.step(Array(a[start..<start + 300]))
            right += other.step(Array(b[start..<start + 300]))
        }
        left += one.finish()
        right += other.finish()
        #expect(try left == resampled(a, from: 22_050, to: 24_000))
        #expect(try right == resampled(b, from: 22_050, to: 24_000))
    }

    @Test("Interleaved channels are each resampled as alone", arguments: rates)
    func channels(from: Double, to: Double) throws {
        var noise = SeededGenerator(seed: 5)
        let planes = (0..<3).map { _ in noise.floats(1500) }
        let interleaved = (0..<1500).flatMap { frame in planes.map { $0[frame] } }
        let output = try resampled(interleaved, from: from, to: to, channels: 3)
        for (channel, plane) in planes.enumerated() {
            let alone = try resampled(plane, from: from, to: to)
            #expect(stride(from: channel, to: output.count, by: 3).map { output[$0] } == alone)
        }
    }

    @Test("The first output appears when the stated latency has been given, not before")
    func latency() throws {
        for (from, to) in [(22_050.0, 24_000.0), (48_000, 8000), (22_050, 24_001)] {
            for quality in ResamplerQuality.allCases {
                var resampler = try Resampler(from: from, to: to, quality: quality)
                let latency = resampler.latency
                let early = resampler.step([Float](repeating: 1, count: latency))
                let first = resampler.step([1])
                #expect(early.isEmpty)
                #expect(!first.isEmpty)
            }
        }
    }
}

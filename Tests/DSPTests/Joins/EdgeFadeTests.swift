import TestSupport
import Testing

@testable import DSP

@Suite("Edge fades")
struct EdgeFadeTests {
    @Test("A fade is 256 samples at 24 kHz and as long in time at other rates")
    func lengths() throws {
        for (rate, length) in [(24_000.0, 256), (22_050, 235), (16_000, 171), (48_000, 512), (44_100, 470)] {
            #expect(try EdgeFade(sampleRate: rate).length == length)
        }
        for rate in [0, -1, .nan, .infinity] {
            #expect(throws: DSPError.self) { _ = try EdgeFade(sampleRate: rate) }
        }
        #expect(EdgeFade(length: -3).length == 0)
    }

    @Test("The edges asked for fade, and nothing else is touched")
    func edges() throws {
        let fade = try EdgeFade(sampleRate: 24_000)
        for edges in EdgeFade.Edges.allCases {
            var samples = [Float](repeating: 1, count: 1000)
            fade.apply(edges, to: &samples)
            #expect(samples[256..<744].allSatisfy { $0 == 1 })
            #expect((samples[0] < 1e-4) == (edges != .end))
            #expect((samples[999] < 1e-4) == (edges != .start))
            // Half way up in the middle, rising all the way.
            if edges != .end {
                #expect(abs(samples[127] + samples[128] - 1) < 1e-5)
                #expect(zip(samples[..<256], samples[1...256]).allSatisfy { $0 <= $1 })
            }
            if edges == .both { #expect(samples == samples.reversed()) }
        }
    }

    @Test("A fade is never more than half of the recording")
    func shortRecordings() {
        for count in 0...9 {
            var samples = [Float](repeating: 1, count: count)
            EdgeFade(length: 100).apply(to: &samples)
            #expect(samples.count == count)
            #expect(samples == samples.reversed())
            if count % 2 == 1 { #expect(samples[count / 2] == 1) }
        }
    }

    @Test("The stream gives what the whole recording gives, however it is cut")
    func stream() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var noise = SeededGenerator(seed: seed)
        for length in [0, 1, 10, 64] {
            for count in [0, 1, 2, 5, 19, 20, 21, 127, 128, 129, 1000] {
                for edges in EdgeFade.Edges.allCases {
                    let input = noise.floats(count)
                    var expected = input
                    EdgeFade(length: length).apply(edges, to: &expected)
                    var fader = try EdgeFader(EdgeFade(length: length), edges: edges)
                    for _ in 0..<2 {
                        var output: [Float] = []
                        var rest = input[...]
                        while !rest.isEmpty {
                            let part = min(rest.count, Int.random(in: 1...50, using: &noise))
                            output += fader.step(Array(rest.prefix(part)))
                            rest = rest.dropFirst(part)
                        }
                        output += fader.finish()
                        #expect(output == expected, "\(count) by \(length), \(edges), seed \(seed)")
                        fader.reset()
                    }
                }
            }
        }
    }
}

import TestSupport
import Testing

@testable import Playback

@Suite("Step-time estimator")
struct StepTimeEstimatorTests {
    @Test("At a constant speed it is that speed from the first step on, whatever the sizes, and grows surer")
    func constant() throws {
        var estimator = StepTimeEstimator()
        #expect(estimator.slowness == nil)
        #expect(estimator.stepTime(audioPerStep: 1) == nil)
        #expect(estimator.uncertainty(audio: 1) == 0)
        var last = Double.infinity
        for index in 0..<30 {
            let audio = [0.1, 0.4, 1.5][index % 3]
            estimator.record(audio: audio, time: audio / 2)
            #expect(abs(try #require(estimator.slowness) - 0.5) < 1e-12)
            let uncertainty = estimator.uncertainty(audio: 10)
            #expect(uncertainty > 0 && uncertainty < last)
            last = uncertainty
        }
        #expect(estimator.count == 30)
        #expect(abs(try #require(estimator.stepTime(audioPerStep: 2)) - 1) < 1e-12)
    }

    /// With steps of one size the time of the next n scatters by that of a step times the root of n.
    @Test("In 97 of 100 noisy runs the time to come exceeds the estimate by two and a half errors at most")
    func coverage() throws {
        var inside = 0
        for seed in UInt64(0)..<1000 {
            var random = SeededGenerator(seed: seed)
            let mean = Double.random(in: 0.1...2, using: &random)
            let scatter = Double.random(in: 0...0.1, using: &random)
            func step() -> Double { mean * (1 + Double.random(in: -scatter...scatter, using: &random)) }
            var estimator = StepTimeEstimator()
            for _ in 0..<Int.random(in: 4...12, using: &random) { estimator.record(audio: 1, time: step()) }
            let count = Int.random(in: 1...20, using: &random)
            let actual = (0..<count).reduce(0) { sum, _ in sum + step() }
            let audio = Double(count)
            let error = actual - audio * (try #require(estimator.slowness))
            if error <= 2.5 * estimator.uncertainty(audio: audio) { inside += 1 }
        }
        #expect(inside >= 970 && inside < 1000, "\(inside)")
    }

    @Test("Large steps tell the rate: small ones with costs of their own change it little")
    func smallSteps() throws {
        var estimator = StepTimeEstimator()
        // 8, 16, 32, 64, 128 frames, with the cost of 15 frames on the first and of 2 on each.
        for (index, frames) in [8.0, 16, 32, 64, 128].enumerated() {
            estimator.record(audio: frames, time: frames + 2 + (index == 0 ? 15 : 0))
        }
        let slowness = try #require(estimator.slowness)
        #expect(slowness > 1 && slowness < 1.04)
    }

    @Test("One stall does not count as the rate, whenever it comes; a second one does")
    func stalls() throws {
        for stalled in 1..<10 {
            var estimator = StepTimeEstimator()
            for index in 0..<10 { estimator.record(audio: 1, time: index == stalled ? 3 : 1) }
            #expect(abs(try #require(estimator.slowness) - 1) < 1e-12)
            #expect(abs(estimator.largestExcess - 2) < 1e-12)
            estimator.record(audio: 1, time: 3)
            #expect(try #require(estimator.slowness) > 1.1)
        }
        var cold = StepTimeEstimator()
        for index in 0..<5 { cold.record(audio: 1, time: index == 0 ? 10 : 1) }
        #expect(try #require(cold.slowness) < 1.1)
        #expect(cold.largestExcess == 0)
    }

    @Test("A machine that has become slower is believed after some seconds of audio")
    func change() throws {
        var estimator = StepTimeEstimator()
        for _ in 0..<20 { estimator.record(audio: 1, time: 0.5) }
        for _ in 0..<12 { estimator.record(audio: 1, time: 1.5) }
        #expect(try #require(estimator.slowness) > 1.1)
        for _ in 0..<12 { estimator.record(audio: 1, time: 1.5) }
        #expect(try #require(estimator.slowness) > 1.35)
    }

    @Test("What is no measurement is ignored")
    func nonsense() {
        var estimator = StepTimeEstimator()
        estimator.record(audio: 0, time: 1)
        estimator.record(audio: 1, time: -1)
        estimator.record(audio: .nan, time: 1)
        estimator.record(audio: 1, time: .infinity)
        #expect(estimator.count == 0 && estimator.slowness == nil)
    }
}

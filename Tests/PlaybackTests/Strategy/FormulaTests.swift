import Testing

@testable import Playback

@Suite("Buffer formulas")
struct FormulaTests {
    @Test("The exact formula: seconds that the queue must hold for the rest at this speed")
    func exact() {
        func required(_ remaining: Double, _ p: Double, _ s: Double, lead: Double = 0, m: Double = 0)
            -> Double
        {
            PlaybackStrategy.requiredBuffer(
                remaining: remaining, audioPerStep: p, stepTime: s, lead: lead, minimum: m)
        }
        #expect(required(10, 0.08, 0.16) == 5)
        #expect(required(10, 0.08, 0.16, lead: 2) == 3)
        #expect(required(10, 0.08, 0.16, lead: 7) == 0)
        #expect(required(10, 0.08, 0.16, lead: 7, m: 0.08) == 0.08)
        #expect(required(10, 0.08, 0.08, m: 0.08) == 0.08)
        #expect(required(10, 0.08, 0.01, m: 0.08) == 0.08)
        #expect(required(10, 0.08, 0) == 0)
        #expect(required(10, 0, 1) == 10)
        #expect(required(0, 0.08, 1) == 0)
    }

    @Test("TTSKit's formula gives the values worked out from its source")
    func published() {
        for (stepTime, expected) in [(0.10, 3.92), (0.16, 9.8), (0.20, 11.76), (0.08, 0.08), (0.02, 0.08)] {
            let buffer = PlaybackStrategy.requiredBuffer(
                maximumSteps: 245, audioPerStep: 0.08, stepTime: stepTime, minimum: 0.08)
            #expect(abs(buffer - expected) < 1e-9)
        }
        let documented = PlaybackStrategy.documentedBuffer(
            maximumSteps: 245, audioPerStep: 0.08, stepTime: 0.1)
        #expect(abs(documented - 24.42) < 1e-9)
        #expect(PlaybackStrategy.documentedBuffer(maximumSteps: 1, audioPerStep: 0.08, stepTime: 0.01) == 0)
    }

    @Test("The allowance for whole steps is p·p/s when generation is slower than sound, and s when it is not")
    func allowance() {
        #expect(PlaybackStrategy.wholeStepAllowance(audioPerStep: 0.1, stepTime: 0.2) == 0.05)
        #expect(PlaybackStrategy.wholeStepAllowance(audioPerStep: 0.1, stepTime: 0.1) == 0.1)
        #expect(abs(PlaybackStrategy.wholeStepAllowance(audioPerStep: 0.1, stepTime: 0.03) - 0.03) < 1e-12)
        #expect(PlaybackStrategy.wholeStepAllowance(audioPerStep: 0, stepTime: 1) == 0)
    }

    /// Counts seconds by brute force: start with `lead` whole steps, then play while the others come.
    @Test("With the allowance the formula is the least number of whole steps that does not run dry")
    func againstBruteForce() {
        for steps in 1...40 {
            for slowness in [1.0, 1.1, 1.25, 1.5, 2, 3, 7.5] {
                let least = (1...steps).first { lead in
                    (1...steps).allSatisfy { next in
                        next <= lead || Double(next - lead) * slowness <= Double(next - 1) + 1e-9
                    }
                }
                let formula =
                    PlaybackStrategy.requiredBuffer(
                        remaining: Double(steps), audioPerStep: 1, stepTime: slowness, lead: 0, minimum: 0)
                    + PlaybackStrategy.wholeStepAllowance(audioPerStep: 1, stepTime: slowness)
                #expect(least == Int((formula - 1e-9).rounded(.up)), "\(steps) steps, \(slowness)")
            }
        }
    }
}

@Suite("Step-time estimator")
struct StepTimeEstimatorTests {
    @Test("At a constant speed it comes down to that speed, from above")
    func constant() throws {
        var estimator = StepTimeEstimator()
        #expect(estimator.slowness == nil)
        #expect(estimator.stepTime(audioPerStep: 1) == nil)
        var last = Double.infinity
        for _ in 0..<30 {
            estimator.record(audio: 0.1, time: 0.05)
            let slowness = try #require(estimator.slowness)
            #expect(slowness >= 0.5 && slowness <= last)
            last = slowness
        }
        #expect(abs(last - 0.5) < 0.001)
        #expect(abs(try #require(estimator.stepTime(audioPerStep: 2)) - 1) < 0.002)
    }

    @Test("It stays above three quarters of noisy steps, rises with a stall and forgets it")
    func noisy() throws {
        var random = SeededGenerator(seed: 7)
        var estimator = StepTimeEstimator()
        var above = 0
        for index in 0..<1000 {
            let time = Double.random(in: 0.03...0.07, using: &random)
            if let slowness = estimator.slowness, index >= 10, slowness >= time / 0.1 { above += 1 }
            estimator.record(audio: 0.1, time: time)
        }
        #expect(above > 750)
        let calm = try #require(estimator.slowness)
        estimator.record(audio: 0.1, time: 1)
        #expect(try #require(estimator.slowness) > 4 * calm)
        for _ in 0..<15 { estimator.record(audio: 0.1, time: 0.05) }
        #expect(try #require(estimator.slowness) < 1.5 * calm)
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

import TestSupport
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

    @Test("For steps of one size, the lead required now is what the exact formula comes to")
    func leadAndBuffer() {
        for count in 1...40 {
            for slowness in [1.0, 1.1, 1.25, 2, 7.5] {
                // Played from a lead of `lead`, with nothing made but that, the formula wants as much as is there.
                let lead = PlaybackStrategy.requiredLead(
                    coming: [], laterStep: 1, remaining: Double(count), slowness: slowness)
                let formula = PlaybackStrategy.requiredBuffer(
                    remaining: Double(count) + lead, audioPerStep: 1, stepTime: slowness, lead: lead,
                    minimum: -100)
                let allowance = PlaybackStrategy.wholeStepAllowance(audioPerStep: 1, stepTime: slowness)
                #expect(abs(formula + allowance) < 1e-9, "\(count) steps, \(slowness)")
            }
            for slowness in [0.05, 0.5, 0.99] {
                let lead = PlaybackStrategy.requiredLead(
                    coming: [], laterStep: 1, remaining: Double(count), slowness: slowness)
                let allowance = PlaybackStrategy.wholeStepAllowance(audioPerStep: 1, stepTime: slowness)
                #expect(abs(lead - allowance) < 1e-12, "\(count) steps, \(slowness)")
            }
        }
    }

    @Test("For steps of any size, the lead required is the least that is never used up, second by second")
    func leadAgainstPlay() {
        for seed in UInt64(0)..<2000 {
            var random = SeededGenerator(seed: seed)
            let count = Int.random(in: 1...12, using: &random)
            let steps = (0..<count).map { _ in Double.random(in: 0.01...2, using: &random) }
            let slowness = Double.random(in: 0.01...3, using: &random)
            let lead = PlaybackStrategy.requiredLead(
                coming: steps, laterStep: 0, remaining: steps.reduce(0, +), slowness: slowness)
            var (queued, least) = (lead, Double.infinity)
            for step in steps {
                queued -= slowness * step
                least = min(least, queued)
                queued += step
            }
            #expect(abs(least) < 1e-9, "seed \(seed)")
        }
    }

    @Test("Steps announced are cut off at what remains, and a rest is taken to come in the largest steps")
    func leadWithRest() {
        func lead(_ coming: [Double], _ later: Double, _ remaining: Double, _ s: Double) -> Double {
            PlaybackStrategy.requiredLead(coming: coming, laterStep: later, remaining: remaining, slowness: s)
        }
        #expect(lead([], 1, 0, 2) == 0)
        #expect(lead([1, 1], 1, 0, 2) == 0)
        #expect(lead([5], 1, 2, 1) == 2)
        #expect(lead([1, 1, 1], 1, 3, 2) == lead([1], 1, 3, 2))
        #expect(lead([0.1], 1, 4.1, 2) == 5.1)
        #expect(abs(lead([0.1], 1, 4.1, 0.5) - 0.45) < 1e-12)
        // Ten hours in steps of a second and a half.
        #expect(abs(lead([0.1], 1.5, 36_000, 1.25) - (36_000 * 0.25 + 1.5)) < 1e-6)
    }
}

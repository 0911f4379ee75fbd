import TestSupport
import Testing

@testable import Playback

/// `auto` against one who knows the future, on the schedule of real speech.
@Suite("auto on the steps of speech, in virtual time")
struct AutoScheduleTests {
    /// What the device's writer wants in hand: a fade, its reaction, a period.
    private let reserve = 0.035

    private func paragraph(_ random: inout SeededGenerator) -> [Double] {
        (0..<3).map { _ in Double.random(in: 5...6.3, using: &random) }
    }

    private func text(_ random: inout SeededGenerator) -> [Double] {
        (0..<Int.random(in: 1...6, using: &random)).map { _ in Double.random(in: 1...8, using: &random) }
    }

    struct Bound: Sendable, CustomStringConvertible {
        var speed: Double
        /// Time to first sound over the clairvoyant's, on average and at worst, without what is kept for stalls.
        var mean: Double
        var worst: Double
        /// Seconds that are kept for stalls.
        var kept: Double
        var description: String { "\(speed) x real time" }
    }

    @Test(
        "At a steady speed a paragraph has no underrun, and its first sound comes not long after the clairvoyant's",
        arguments: [
            Bound(speed: 0.8, mean: 1.15, worst: 1.25, kept: 0.65), Bound(speed: 1, mean: 1.3, worst: 1.4, kept: 0.65),
            Bound(speed: 1.2, mean: 1.4, worst: 1.5, kept: 0.65), Bound(speed: 2, mean: 2, worst: 2.1, kept: 0.3),
            Bound(speed: 30, mean: 1.05, worst: 1.05, kept: 0),
        ])
    func steady(bound: Bound) throws {
        var sum = 0.0
        for seed in UInt64(0)..<40 {
            var random = SeededGenerator(seed: seed)
            let producer = SpeechProducer(sentences: paragraph(&random), speed: bound.speed, random: &random)
            let player = try producer.play()
            #expect(player.output.underrunCount == 0, "seed \(seed)")
            let first = try #require(player.output.timeToFirstSound, "seed \(seed)")
            let best = producer.clairvoyantStart(reserve: reserve)
            // With less than the clairvoyant's reserve it may do as well, if the writer's turns fall well.
            #expect(first >= best - 0.02, "seed \(seed)")
            #expect(first <= bound.worst * best + bound.kept, "seed \(seed): \(first) s, clairvoyant \(best) s")
            sum += (first - bound.kept) / best
        }
        #expect(sum / 40 <= bound.mean, "mean ratio \(sum / 40)")
    }

    @Test(
        "Stalls of 300 ms after the start and the first step of full size are covered by the lead: two below 1.3 times real time, one at twice",
        arguments: [(speed: 0.8, count: 2), (1, 2), (1.2, 2), (2, 1)])
    func stall(speed: Double, count: Int) throws {
        var stalls = 0
        for seed in UInt64(100)..<150 {
            var random = SeededGenerator(seed: seed)
            var producer = SpeechProducer(sentences: text(&random), speed: speed, random: &random)
            let start = try #require(try producer.play().output.timeToFirstSound)
            var (time, candidates) = (0.0, [Int]())
            for (index, step) in producer.steps.enumerated() {
                // The step has begun after the start.
                if time >= start, index >= 5 { candidates.append(index) }
                time += step.time
            }
            // A short text may have been made before it is heard.
            let stalled = candidates.shuffled(using: &random).prefix(count)
            guard stalled.count == count else { continue }
            stalls += 1
            for step in stalled { producer.stall(step) }
            #expect(try producer.play().output.underrunCount == 0, "seed \(seed), steps \(stalled)")
        }
        #expect(stalls > 25)
    }

    /// The rest of the promise is a matter of likelihood: this is how likely.
    @Test(
        "With steps that scatter by 5 %, an encoder and any text, one play in fifty has an underrun at most",
        arguments: [0.8, 1, 1.2, 2, 30])
    func scatter(speed: Double) throws {
        var underruns = 0
        for seed in UInt64(200)..<300 {
            var random = SeededGenerator(seed: seed)
            let producer = SpeechProducer(
                sentences: text(&random), speed: speed, jitter: 0.05, encoder: 0.04, random: &random)
            if try producer.play().output.underrunCount > 0 { underruns += 1 }
        }
        #expect(underruns <= 2)
    }

    @Test("A stall before the start does not count as the speed: sound starts little later than it must")
    func stallBefore() throws {
        for seed in UInt64(300)..<330 {
            var random = SeededGenerator(seed: seed)
            var producer = SpeechProducer(sentences: paragraph(&random), speed: 0.8, random: &random)
            let stalled = Int.random(in: 2...4, using: &random)
            producer.stall(stalled)
            let player = try producer.play()
            #expect(player.output.underrunCount == 0, "seed \(seed)")
            let first = try #require(player.output.timeToFirstSound)
            let best = producer.clairvoyantStart(reserve: reserve)
            #expect(first <= 1.3 * best + 0.65, "seed \(seed), step \(stalled): \(first) s, clairvoyant \(best) s")
        }
    }

    @Test("Sound starts between two steps, when what is queued lasts until the next one comes")
    func betweenSteps() throws {
        for speed in [0.8, 1.0] {
            var random = SeededGenerator(seed: 7)
            let producer = SpeechProducer(sentences: [6, 6, 6], speed: speed, random: &random)
            let start = try #require(try producer.play().output.timeToFirstSound)
            var time = 0.0
            var nearest = Double.infinity
            for step in producer.steps {
                time += step.time
                nearest = min(nearest, abs(time - start))
            }
            #expect(nearest > 0.03, "\(speed) x: \(start) s")
        }
    }

    @Test(
        "A step is overdue by two seconds: sound starts before it is, as promised, or waits for it; no gap is counted before the start",
        arguments: [0.8, 1, 1.2])
    func overdue(speed: Double) throws {
        var (promised, waited) = (0, 0)
        for seed in UInt64(500)..<506 {
            var random = SeededGenerator(seed: seed)
            let producer = SpeechProducer(sentences: paragraph(&random), speed: speed, random: &random)
            let usual = try #require(try producer.play().output.timeToFirstSound)
            var begun = 0.0
            for (index, step) in producer.steps.enumerated() where begun <= usual {
                let due = begun + step.time
                var late = producer
                late.stall(index, by: 2)
                let player = try late.play { output in
                    if output.timeToFirstSound == nil { #expect(output.underrunCount == 0) }
                }
                let start = try #require(player.output.timeToFirstSound)
                let place = Comment("seed \(seed), step \(index): \(start) s, usually \(usual) s, due \(due) s")
                if start < due + 0.02 {
                    // What it waited for was time that the step would take anyhow. That it takes more nobody knew.
                    #expect(abs(start - usual) < 0.02, place)
                    #expect(player.output.underrunCount <= 1, place)
                    promised += 1
                } else {
                    #expect(start >= due + 2, place)
                    #expect(player.output.underrunCount == 0, place)
                    waited += 1
                }
                begun = due
            }
        }
        #expect(promised > 0 && waited > 0, "\(promised), \(waited)")
    }

    @Test("While the next step is late, what it has taken beyond its time is not counted on")
    func lateStep() throws {
        let policy = { (lead: Double) -> BufferPolicy.Gate in
            var policy = BufferPolicy(strategy: .auto, reserve: 0.035)
            for _ in 0..<3 {
                policy.record(GenerationStep(stepTime: 1.25, remaining: 10, coming: [1, 1, 1]), audio: 1)
            }
            return policy.gate(lead: lead, underruns: 0)
        }
        // More is missing than the time that the step should take: only audio helps.
        #expect(policy(1).wait == .infinity)
        let gate = policy(1)
        #expect(gate.seconds > 1 && gate.seconds < 11)
        // Enough is queued, or will be while the step is being made; never before what is missing has passed.
        #expect(policy(12).wait == 0)
        let enough = stride(from: 1.0, to: 12, by: 0.01).first { policy($0).wait < .infinity }
        let lead = try #require(enough)
        #expect(policy(lead).wait > 1.2 && policy(lead).wait <= 1.25)
        #expect(abs(policy(lead + 0.5).wait - (policy(lead).wait - 0.5)) < 1e-9)
    }
}

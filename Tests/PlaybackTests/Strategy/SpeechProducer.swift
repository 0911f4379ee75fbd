import TestSupport

@testable import Playback
@testable import VITS

/// Generation as VITS does it, in virtual time: sentences whose steps are those of `StepSchedule` and begin anew with the
/// next sentence, whose encoder runs in the middle of the one before it, and the audio beyond it guessed.
struct SpeechProducer {
    struct Step {
        /// In samples.
        var samples: Int
        var time: Double
        var report: GenerationStep
    }

    static let sampleRate = 8_000
    /// Samples of a frame of 11.6 ms.
    static let hop = 93
    static let frame = Double(hop) / Double(sampleRate)

    var steps: [Step] = []

    /// - Parameters:
    ///   - sentences: lengths in seconds.
    ///   - speed: seconds of audio made in a second.
    ///   - jitter: time of a step varies by up to this part, both ways.
    ///   - encoder: time of a sentence's encoder as a part of its decoder's.
    init(
        sentences: [Double], speed: Double, jitter: Double = 0, encoder: Double = 0,
        random: inout SeededGenerator
    ) {
        let frames = sentences.map { Int($0 / Self.frame) }
        let guesses = sentences.map { $0 * Double.random(in: 0.85...1.15, using: &random) }
        func seconds(_ frames: Int) -> Double { Double(frames) * Self.frame }
        for (index, length) in frames.enumerated() {
            let isLast = index == frames.count - 1
            let later = index + 2 < guesses.count ? guesses[(index + 2)...].reduce(0, +) : 0
            var (made, due, isPrepared) = (0, 0, isLast)
            var schedule = Self.schedule
            for end in Self.ends(length) {
                due = min(length, due + schedule.nextStep())
                let audio = seconds(end - made)
                var time = audio / speed * (1 + jitter * Double.random(in: -1...1, using: &random))
                made = end
                var preparation = 0.0
                if !isPrepared, 2 * made >= length {
                    isPrepared = true
                    preparation = encoder * seconds(frames[index + 1]) / speed
                    time += preparation
                }
                let next = isLast ? 0 : isPrepared ? seconds(frames[index + 1]) : guesses[index + 1]
                let unplanned = later + (isPrepared ? 0 : next)
                let report = GenerationStep(
                    stepTime: time, remaining: seconds(length - made) + next + later,
                    coming: Self.announced(made: made, due: due, schedule, length: length).map(seconds)
                        + (isPrepared && !isLast
                            ? Self.announced(made: 0, due: 0, Self.schedule, length: frames[index + 1]).map(seconds)
                            : []),
                    largestStep: seconds(StepSchedule.largest), preparation: preparation,
                    remainingPreparation: encoder * unplanned / speed)
                let samples = Int((audio / Self.frame).rounded()) * Self.hop
                steps.append(Step(samples: samples, time: time, report: report))
            }
        }
    }

    /// Frames of sound that the steps are meant to give: without what the decoder looks ahead.
    private static var schedule: StepSchedule { StepSchedule(lookahead: 0) }

    /// Frames out after each step, as the kernels' tiles of 18 frames let them.
    private static func ends(_ length: Int) -> [Int] {
        var (ends, due, schedule) = ([Int](), 0, schedule)
        while due < length {
            due += schedule.nextStep()
            ends.append(due >= length ? length : ends.isEmpty ? due + 1 : 15 + 18 * ((due - 17) / 18))
        }
        return ends
    }

    /// As `InferenceRenderer` announces its steps.
    private static func announced(made: Int, due: Int, _ schedule: StepSchedule, length: Int) -> [Int] {
        var (steps, made, due, schedule) = ([Int](), made, due, schedule)
        while made < length {
            due += schedule.nextStep()
            let step = min(due, length) - made
            if step > 0 { steps.append(step) }
            made += max(0, step)
        }
        return steps
    }

    /// Makes a step take longer, which its report tells.
    mutating func stall(_ step: Int, by seconds: Double = 0.3) {
        steps[step].time += seconds
        steps[step].report.stepTime += seconds
    }

    var samples: Int { steps.reduce(0) { $0 + $1.samples } }

    /// The least wait without an underrun for one who knows every step beforehand: each comes when at least `reserve`
    /// seconds of the audio before it are left.
    func clairvoyantStart(reserve: Double) -> Double {
        var (time, audio, start) = (0.0, 0.0, 0.0)
        for step in steps {
            time += step.time
            start = max(start, audio == 0 ? time : time - audio + reserve)
            audio += Double(step.samples) / Double(Self.sampleRate)
        }
        return start
    }

    /// Plays under `auto`. Returns the player at its end.
    ///
    /// - Parameter afterTurn: called after every turn of the writer.
    func play(afterTurn: @escaping (AudioOutput) -> Void = { _ in }) throws -> VirtualPlayer {
        let player = try VirtualPlayer(sampleRate: Self.sampleRate)
        player.afterTurn = { [output = player.output] in afterTurn(output) }
        try player.start(.auto)
        var time = player.now
        for step in steps {
            time += step.time
            player.run(until: time)
            let audio = [Float](repeating: 0.5, count: step.samples)
            try player.act { try $0.enqueueAudioChunk(audio, step: step.report) }
        }
        player.act { $0.finish() }
        guard player.runToEnd() else { throw SteadyProducer.NeverEnds() }
        return player
    }
}

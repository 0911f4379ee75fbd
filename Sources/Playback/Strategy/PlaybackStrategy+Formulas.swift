/// The buffer formulas, as pure functions. All times in seconds.
///
/// p is the audio that one step of generation yields and s the time that it takes. With p ≥ s generation
/// keeps up; otherwise the queue shrinks by 1 − p/s seconds for every second heard.
extension PlaybackStrategy {
    /// B = max(m, R·(1 − p/s) − lead): further audio to collect before sound (re)starts.
    ///
    /// R is the audio that is *still to be heard*: what remains to be made plus the `lead` that is queued.
    /// Before the first sample of a request both readings agree; later, R without the lead would credit the
    /// lead twice and start too early (with s = 2p and 10 s of audio: after 3.3 s where 5 s are needed).
    ///
    /// Derivation: play from lead L with U = R − L to be made lasts as long as generation does when
    /// L + U ≥ U·s/p, which is L ≥ R·(1 − p/s). Exact for audio that flows. Steps that deliver
    /// their audio as a whole at their end need ``wholeStepAllowance(audioPerStep:stepTime:)`` on top.
    ///
    /// - Parameters:
    ///   - remaining: R, seconds still to be heard. For VITS it is known to the sample.
    ///   - audioPerStep: p. 0 or less: nothing is made, so all of R must be there.
    ///   - stepTime: s. 0 or less: infinitely fast.
    ///   - lead: seconds queued and not yet heard.
    ///   - minimum: m, what to collect even if generation keeps up.
    /// - Returns: seconds, never below `minimum`; never NaN for finite arguments.
    public static func requiredBuffer(
        remaining: Double, audioPerStep: Double, stepTime: Double, lead: Double, minimum: Double
    ) -> Double {
        guard stepTime > 0 else { return minimum }
        let deficit = max(0, 1 - max(0, audioPerStep) / stepTime)
        return max(minimum, remaining * deficit - lead)
    }

    /// What a step costs that delivers its audio as a whole at its end, on top of `requiredBuffer`.
    ///
    /// The last step must end before all *earlier* audio has been heard, not before its own has: with n
    /// steps, L + (n − 1)·p ≥ n·s. Solved as above this adds p·p/s when s ≥ p. When generation
    /// keeps up, the lead must last one step: s. Both are p·min(p/s, s/p), continuous at s = p.
    public static func wholeStepAllowance(audioPerStep: Double, stepTime: Double) -> Double {
        guard audioPerStep > 0, stepTime > 0 else { return 0 }
        return audioPerStep * min(audioPerStep / stepTime, stepTime / audioPerStep)
    }

    /// The lead with which sound may start now, a step having just come, so that each step to come arrives before the
    /// audio ahead of it has been heard: the largest of s·U(k) − U(k − 1) over all k, where U(k) is the
    /// audio of the next k steps and s the time that a second of audio takes.
    ///
    /// With U the audio of n steps of one size p this is s·U − (U − p) when generation is slower than sound, and s·p,
    /// the first step, when it is not. So it is the exact formula with
    /// ``wholeStepAllowance(audioPerStep:stepTime:)`` for steps of any size: that one tells how much audio must have
    /// been made at the moment of the start, this one how much must be queued now.
    ///
    /// - Parameters:
    ///   - coming: seconds of audio of the next steps, as far as they are known.
    ///   - laterStep: seconds of audio of each step after those, the last one being what is left.
    ///   - remaining: seconds of audio that remain to be made, those of `coming` included.
    ///   - slowness: s, not negative.
    ///   - looseness: the part of a step that may come with the one after it.
    ///   - margin: seconds to have in hand when so many seconds of audio have been made.
    /// - Returns: seconds; 0 if nothing remains. With more than 64 later steps it looks at some of them only; what it
    ///   returns is too low by no more than the margin rises between two of these.
    static func requiredLead(
        coming: [Double], laterStep: Double, remaining: Double, slowness: Double, looseness: Double = 0,
        margin: (Double) -> Double = { _ in 0 }
    ) -> Double {
        var needed = 0.0
        var made = 0.0
        func look(end: Double, step: Double) {
            needed = max(needed, slowness * end - (end - step) + looseness * step + margin(end))
        }
        for audio in coming {
            let step = min(audio, remaining - made)
            guard step > 0 else { continue }
            made += step
            look(end: made, step: step)
        }
        guard laterStep > 0, made < remaining else { return needed }
        let steps = ((remaining - made) / laterStep).rounded(.up)
        let stride = max(1, (steps / 64).rounded(.up)) * laterStep
        while made < remaining {
            let end = min(remaining, made + stride)
            // Where the last step begins is a guess: it is taken to be a whole one.
            look(end: end, step: min(laterStep, end))
            made = end
        }
        return needed
    }

    /// TTSKit's formula, max(m, N·p·(1 − p/s)), for models that know only an upper bound N of their steps.
    public static func requiredBuffer(
        maximumSteps: Int, audioPerStep: Double, stepTime: Double, minimum: Double
    ) -> Double {
        requiredBuffer(
            remaining: Double(maximumSteps) * audioPerStep, audioPerStep: audioPerStep, stepTime: stepTime,
            lead: 0, minimum: minimum)
    }

    /// The formula of TTSKit's documentation, s·N − p: the time that all N steps take, less one step of
    /// audio. It waits for about the whole generation and is kept for comparison alone.
    public static func documentedBuffer(
        maximumSteps: Int, audioPerStep: Double, stepTime: Double
    ) -> Double {
        max(0, stepTime * Double(maximumSteps) - audioPerStep)
    }
}

/// What `auto` wants.
///
/// The lead that the steps to come call for at the measured rate, and on top of it what may go wrong: the rate
/// measured may be ``caution`` standard errors too low, the length guessed ten per cent too short, and stalls that
/// cost ``stall`` may come. The margin for the rate grows with the scatter of the steps seen, so that a steady machine waits
/// little longer than it must.
///
/// What that promises, for steps as announced that take time in proportion to their audio: no underrun. With stalls
/// of up to 0.3 s besides, whichever steps they fall into, the first and the last not excepted (so `StallTests`):
///
/// - where generation takes 0.75 s or more for a second of audio: none with two of them;
/// - from there to 0.4 s: none with one. At half a second two are heard as one gap if they fall into the two steps
///   about the start of sound, the fourth and the fifth;
/// - below that less and less is kept for stalls, and below 0.3 s nothing: sound starts with the first step. One in the second, third or fourth step
///   is heard, as one gap, since what has been made by then lasts less than it. It cannot be foreseen, and to wait
///   for it would delay every first sound on the machines that need it least. From the fifth step on the lead that
///   grows by itself covers it.
///
/// For rates that scatter the promise is one of likelihood: three standard errors, as far as so few steps tell them.
extension BufferPolicy {
    /// TTSKit's 80 ms.
    static let minimumBuffer = 0.08
    /// The cushion doubles with every underrun, up to this.
    static let largestMinimum = 1.28
    /// Seconds lost that a machine near real time is prepared for: twice 0.3, and what a step may come later than its
    /// neighbours' tiles allow for.
    static let stall = 0.65
    /// Real-time factors: up to the lower the lead grows fast enough that nothing is kept for a stall, from the
    /// upper on all of it is.
    static let stallRange = 0.3...0.75
    /// Standard errors of the estimated time that are kept in hand.
    static let caution = 3.0
    /// The scatter of the rate does not add up beyond so many seconds of audio: nobody waits minutes to be safe for an
    /// hour.
    static let horizon = 30.0
    /// What a guess of the audio beyond the steps announced may be wrong by, as one standard error.
    static let guessError = 0.1
    /// The part of a step that may come with the one after it: the decoder's kernels keep to whole tiles.
    static let looseness = 0.125

    func adaptiveGate(lead: Double, underruns: Int) -> Gate {
        guard let (step, audio) = last, let slowness = estimator.slowness else {
            return Gate(seconds: .infinity)
        }
        let remaining = max(0, step.remaining)
        let coming = step.coming.isEmpty ? [audio] : step.coming
        let announced = step.coming.isEmpty ? remaining : step.coming.reduce(0, +)
        let cushion = cushion(slowness: slowness, underruns: underruns)
        let largestStep = step.largestStep ?? max(largest, coming.max() ?? 0)
        let steps = PlaybackStrategy.requiredLead(
            coming: coming, laterStep: largestStep, remaining: remaining, slowness: slowness,
            looseness: Self.looseness
        ) { ahead in
            let scatter = estimator.uncertainty(audio: min(ahead, Self.horizon))
            let guessed = min(max(0, ahead - announced), Self.horizon)
            let guess = Self.guessError * guessed * max(0, slowness - 1)
            // The encoder comes half a sentence early.
            let preparation = step.remainingPreparation * min(1, 2 * ahead / remaining)
            return cushion + preparation + Self.caution * (scatter * scatter + guess * guess).squareRoot()
        }
        let least = max(Self.minimumBuffer, reserve)
        let needed = max(least, steps + reserve)

        // The formula's share is what the rest calls for; steps, margins and reserve count as lead that is spoken for.
        let deficit = remaining * max(0, slowness - 1)
        let further = PlaybackStrategy.requiredBuffer(
            remaining: remaining + lead, audioPerStep: 1, stepTime: slowness,
            lead: lead - (needed - deficit) / max(1, slowness), minimum: max(0, least - lead))
        var gate = Gate(seconds: lead + further)
        // Every second of the step in progress is one that need not be bridged, but no more of them than it will take.
        let missing = max(0, needed - lead)
        if lead >= least, missing <= slowness * min(coming[0], remaining) { gate.wait = missing }
        return gate
    }

    private func cushion(slowness: Double, underruns: Int) -> Double {
        let (lower, upper) = (Self.stallRange.lowerBound, Self.stallRange.upperBound)
        let part = min(1, max(0, (slowness - lower) / (upper - lower)))
        let forStall = part * max(Self.stall, 2 * estimator.largestExcess)
        let afterUnderruns =
            underruns > 0 ? min(Self.minimumBuffer * Double(1 << min(underruns, 10)), Self.largestMinimum) : 0
        return max(forStall, afterUnderruns)
    }
}

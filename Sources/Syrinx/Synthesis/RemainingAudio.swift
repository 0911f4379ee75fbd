/// Estimates how much audio a request still has: what is planned is exact, the rest is taken to be spoken as fast
/// as what has been planned so far.
struct RemainingAudio {
    private var samples = 0
    private var weight = 0.0

    mutating func planned(_ inference: Inference, samples: Int) {
        self.samples += samples
        weight += inference.weight
    }

    /// Seconds that it takes to plan so much input, if it takes as long as what has been planned.
    func planning(ofWeight unplanned: Double, spent: Double) -> Double {
        weight > 0 ? unplanned * spent / weight : 0
    }

    /// Samples of so much input that has not been planned.
    func samples(ofWeight unplanned: Double) -> Double {
        weight > 0 ? unplanned * Double(samples) / weight : 0
    }
}

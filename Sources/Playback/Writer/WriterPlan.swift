/// The writer's measures, in frames at the device's rate.
struct WriterPlan {
    let sampleRate: Int
    /// Queued in the device while audio flows.
    let target: Int
    /// The writer wakes up once for so many frames.
    let period: Int
    /// With so little left in the device and nothing to follow, the tail is faded out.
    let reaction: Int
    /// Length of an edge fade, which is also what is held back of the audio queued.
    let fade: Int
    /// Silence before the first sample.
    let leadIn: Int
    let keepsTime: Bool
    /// Whether the start and the end of the whole are faded.
    let fadesEnds: Bool

    init(format: SinkFormat, bufferSeconds: Double, leadInSeconds: Double, fadesEnds: Bool = true) {
        sampleRate = format.sampleRate
        let wanted = Int((bufferSeconds * Double(format.sampleRate)).rounded())
        // A device with a coarse period needs two of them.
        target = max(3, min(max(wanted, 2 * format.periodFrames), format.bufferFrames))
        period = max(1, target / 3)
        reaction = max(1, target / 3)
        fade = EdgeFade.length(sampleRate: format.sampleRate)
        leadIn = max(0, Int((leadInSeconds * Double(format.sampleRate)).rounded()))
        keepsTime = format.keepsTime
        self.fadesEnds = fadesEnds
    }

    /// What must be queued, in samples, for sound to go on beyond one turn of the writer: the fade it holds back,
    /// its reaction time and one period. A sink without a clock is never starved and needs the fade alone.
    var reserve: Int { keepsTime ? fade + reaction + period : fade + 1 }

    /// Nanoseconds that a stop may take, fade included: 50 ms, or what a longer queue than the usual one needs.
    var stopLimit: UInt64 { max(50_000_000, nanoseconds(frames: target + fade) + 3_000_000) }

    func nanoseconds(frames: Int) -> UInt64 {
        UInt64(max(0, frames)) * 1_000_000_000 / UInt64(sampleRate)
    }
}

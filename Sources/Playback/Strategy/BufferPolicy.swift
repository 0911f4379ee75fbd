/// Decides how much audio must be queued before sound starts, and starts again after an underrun.
///
/// It never stops audio that is playing: the gate matters only while nothing is heard.
struct BufferPolicy {
    /// TTSKit's 80 ms.
    static let minimumBuffer = 0.08
    /// The cushion of `auto` doubles with every underrun, up to this.
    static let largestMinimum = 1.28

    let strategy: PlaybackStrategy
    /// Takes the strategy's place: seconds asked for by the application.
    var fixed: Double?
    /// What the device writer holds back and needs in hand, in seconds: added to every finite gate, so that the
    /// formula's guarantee survives a writer that decides some milliseconds ahead.
    let reserve: Double

    private var estimator = StepTimeEstimator()
    private var last: (step: GenerationStep, audio: Double)?

    init(strategy: PlaybackStrategy, reserve: Double) {
        self.strategy = strategy
        self.reserve = reserve
    }

    /// Takes note of a step that made `audio` seconds.
    mutating func record(_ step: GenerationStep, audio: Double) {
        estimator.record(audio: audio, time: step.stepTime)
        last = (step, audio)
    }

    /// Seconds that must be queued, with `lead` seconds queued now; infinite while only the end of the request
    /// opens the gate.
    func gate(lead: Double, underruns: Int) -> Double {
        if let fixed { return max(fixed, reserve) }
        return switch strategy {
        case .stream: reserve
        case .buffered(let seconds) where underruns == 0: max(seconds, reserve)
        case .buffered:
            // Steps reported tell what the rest calls for.
            last == nil ? reserve : lead + furtherAudio(lead: lead, underruns: underruns)
        case .generateFirst: .infinity
        case .auto: lead + furtherAudio(lead: lead, underruns: underruns)
        }
    }

    /// Seconds that `auto` still wants on top of `lead`.
    private func furtherAudio(lead: Double, underruns: Int) -> Double {
        guard let (step, audio) = last, let slowness = estimator.slowness else { return .infinity }
        let minimum = min(Self.minimumBuffer * Double(1 << min(underruns, 10)), Self.largestMinimum)
        let next = max(audio, step.nextAudio ?? audio)
        // What of the lead can be counted on: the writer's reserve and the step in progress cannot.
        let spoken =
            reserve + PlaybackStrategy.wholeStepAllowance(audioPerStep: next, stepTime: slowness * next)
        return PlaybackStrategy.requiredBuffer(
            remaining: max(0, step.remaining) + lead, audioPerStep: 1, stepTime: slowness,
            lead: lead - spoken,
            minimum: max(0, max(minimum, spoken) - lead))
    }
}

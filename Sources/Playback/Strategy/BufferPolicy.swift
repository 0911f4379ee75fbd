/// Decides when enough audio is queued for sound to start, and to start again after an underrun.
///
/// It never stops audio that is playing: the gate matters only while nothing is heard.
struct BufferPolicy {
    /// When sound may start.
    struct Gate: Equatable {
        /// Seconds of audio that must be queued; infinite while only the end of the request opens the gate.
        var seconds: Double
        /// Seconds from now until what is queued now suffices, as the next step is nearer by then; infinite if more
        /// must be queued.
        var wait = Double.infinity
    }

    let strategy: PlaybackStrategy
    /// Takes the strategy's place: seconds asked for by the application.
    var fixed: Double?
    /// What the device writer holds back and needs in hand, in seconds: added to every finite gate, so that the
    /// formula's guarantee survives a writer that decides some milliseconds ahead.
    let reserve: Double

    private(set) var estimator = StepTimeEstimator()
    private(set) var last: (step: GenerationStep, audio: Double)?
    /// Seconds of audio of the largest step so far.
    private(set) var largest = 0.0

    init(strategy: PlaybackStrategy, reserve: Double) {
        self.strategy = strategy
        self.reserve = reserve
    }

    /// Takes note of a step that made `audio` seconds.
    mutating func record(_ step: GenerationStep, audio: Double) {
        estimator.record(audio: audio, time: step.stepTime - step.preparation)
        largest = max(largest, audio)
        last = (step, audio)
    }

    /// The gate with `lead` seconds queued. To be asked when a step has just come: `wait` counts on the next one
    /// being made from now on.
    func gate(lead: Double, underruns: Int) -> Gate {
        if let fixed { return Gate(seconds: max(fixed, reserve)) }
        return switch strategy {
        case .stream: Gate(seconds: reserve)
        case .buffered(let seconds) where underruns == 0: Gate(seconds: max(seconds, reserve))
        case .buffered where last == nil: Gate(seconds: reserve)
        // Steps reported tell what the rest calls for.
        case .buffered: adaptiveGate(lead: lead, underruns: underruns)
        case .generateFirst: Gate(seconds: .infinity)
        case .auto: adaptiveGate(lead: lead, underruns: underruns)
        }
    }
}

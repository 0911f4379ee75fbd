import Playback
import Syrinx

/// One playback to nobody, in real time, and how its lead went.
struct PlaybackRun: Sendable {
    let strategy: PlaybackStrategy
    let speed: Double?
    var firstSound = 0.0
    var underruns = 0
    /// Seconds since the call, and seconds queued and not yet heard.
    var leads: [(time: Double, lead: Double)] = []

    /// Plays `text` with a decoder of the given speed.
    static func play(
        _ text: String, voice: Voice, strategy: PlaybackStrategy, speed: Double?
    ) async throws -> PlaybackRun {
        let output = AudioOutput(sink: NullSink())
        let source = ThrottledSource(source: VoiceSpeechSource(voice: voice), speed: speed)
        let synthesizer = SpeechSynthesizer(source: source, audioOutput: output)
        let start = ContinuousClock.now
        let watcher = Task {
            var leads: [(time: Double, lead: Double)] = []
            while !Task.isCancelled {
                leads.append(((ContinuousClock.now - start) / .seconds(1), output.lead))
                try? await Task.sleep(for: .milliseconds(25))
            }
            return leads
        }
        let result = try await synthesizer.play(
            .text(text), options: GenerationOptions(seed: 1), playbackStrategy: strategy, keepsAudio: false)
        watcher.cancel()
        var run = PlaybackRun(strategy: strategy, speed: speed)
        run.firstSound = result.timings.timeToFirstSound ?? 0
        run.underruns = result.underrunCount
        run.leads = await watcher.value
        return run
    }

    var strategyName: String {
        switch strategy {
        case .auto: "auto"
        case .stream: "stream"
        case .buffered(let seconds): "buffered(\(seconds))"
        case .generateFirst: "generateFirst"
        }
    }

    var speedName: String { speed.map { "\($0) × real time" } ?? "full speed" }
    var largestLead: Double { leads.map(\.lead).max() ?? 0 }
}

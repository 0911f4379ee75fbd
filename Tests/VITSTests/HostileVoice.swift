import Testing

@testable import VITS

/// What the tests of wrong voice files share.
enum HostileVoice {
    /// Has every kind of layer: speakers, stochastic durations, a flow with mean and deviation.
    static let base = "mean-and-logs"

    /// What loading says: nil when it loads.
    static func complaint(_ voice: EditedVoice) -> String? {
        do {
            _ = try voice.load()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// A short sentence; its samples are numbers within −1 ... 1.
    static func exercise(_ model: VITSModel) throws {
        let rendering = Rendering(
            model: model,
            request: SentenceRequest(
                ids: Rendering.ids(5, symbols: model.symbols), speaker: model.speakers - 1))
        let stream = try rendering.stream()
        var schedule = model.schedule
        var audio: [Float] = []
        for _ in 0..<3 where !stream.isFinished { stream.step(schedule.nextStep(), into: &audio) }
        #expect(audio.allSatisfy { abs($0) <= 1 })
    }
}

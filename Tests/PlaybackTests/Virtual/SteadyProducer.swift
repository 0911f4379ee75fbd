@testable import Playback

/// A producer of `steps` steps of p seconds that take s seconds each, reporting every step.
struct SteadyProducer {
    var steps: Int
    var audioPerStep: Double
    var stepTime: Double
    /// Extra time of single steps, by number.
    var stalls: [Int: Double] = [:]
    var reportsSteps = true

    func samplesPerStep(at rate: Int) -> Int { Int((audioPerStep * Double(rate)).rounded()) }

    /// Feeds the player and lets it come to its end. Returns the source.
    func run(
        _ player: VirtualPlayer, strategy: PlaybackStrategy, beforeFinish: Double = 0,
        eachStep: (Int) -> Void = { _ in }
    ) throws -> [Float] {
        let rate = player.output.sampleRate
        let perStep = samplesPerStep(at: rate)
        let source = distinctAudio(steps * perStep)
        try player.start(strategy)
        var time = player.now
        for index in 0..<steps {
            let taken = stepTime + (stalls[index] ?? 0)
            time += taken
            player.run(until: time)
            let step = GenerationStep(
                stepTime: taken, remaining: Double((steps - index - 1) * perStep) / Double(rate))
            try player.act {
                try $0.enqueueAudioChunk(
                    Array(source[index * perStep..<(index + 1) * perStep]), step: reportsSteps ? step : nil)
            }
            eachStep(index)
        }
        player.run(until: time + beforeFinish)
        player.act { $0.finish() }
        guard player.runToEnd() else { throw NeverEnds() }
        return source
    }

    struct NeverEnds: Error {}
}

extension VirtualPlayer {
    func heard(_ source: [Float]) -> Heard {
        Heard(
            sink.written, source: source, breaks: sink.events.map(\.position),
            fade: EdgeFade.length(sampleRate: sink.rate))
    }
}

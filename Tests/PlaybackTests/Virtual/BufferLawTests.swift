import TestSupport
import Testing

@testable import Playback

@Suite("Buffering in virtual time")
struct BufferLawTests {
    @Test(
        "Generation that keeps up gives one fade-in, one fade-out and no silence, under every strategy",
        arguments: [
            PlaybackStrategy.auto, .stream, .buffered(seconds: 0.5), .buffered(seconds: 100), .generateFirst,
        ])
    func keepsUp(strategy: PlaybackStrategy) throws {
        for speed in [0.05, 0.3, 0.7] {
            let player = try VirtualPlayer()
            let producer = SteadyProducer(steps: 25, audioPerStep: 0.08, stepTime: 0.08 * speed)
            let source = try producer.run(player, strategy: strategy)
            let heard = player.heard(source)
            #expect(heard.fault == nil)
            #expect(heard.matched == source.count)
            #expect(heard.stretches.count == 1)
            #expect(heard.silence == 0)
            #expect(player.output.underrunCount == 0)
            // 256 samples at each edge, as the gain at either end of a fade rounds to 1 in a few.
            #expect((2 * 256 - 8...2 * 256).contains(heard.touched))
        }
    }

    @Test(
        "The formula keeps sound going for any constant speed, and one step less gives exactly one underrun")
    func formulaIsTight() throws {
        var tight = 0
        for seed in UInt64(0)..<400 {
            var random = SeededGenerator(seed: seed)
            let p = Double.random(in: 0.08...0.3, using: &random)
            let s = p * Double.random(in: 1.05...4, using: &random)
            let steps = Int.random(in: 4...40, using: &random)
            let producer = SteadyProducer(steps: steps, audioPerStep: p, stepTime: s)
            let total = Double(steps * producer.samplesPerStep(at: 8_000)) / 8_000
            let exact =
                PlaybackStrategy.requiredBuffer(
                    remaining: total, audioPerStep: p, stepTime: s, lead: 0, minimum: 0)
                + PlaybackStrategy.wholeStepAllowance(audioPerStep: p, stepTime: s)
            let reserve = 0.036

            let enough = try VirtualPlayer(sampleRate: 8_000)
            let source = try producer.run(enough, strategy: .buffered(seconds: exact + reserve))
            #expect(enough.output.underrunCount == 0, "seed \(seed): p \(p) s \(s) steps \(steps)")
            #expect(enough.heard(source).stretches.count == 1, "seed \(seed)")

            // The last number of whole steps that is less than the formula wants.
            let short = Int((exact / p).rounded(.up)) - 1
            guard short >= 1 else { continue }
            let scarce = try VirtualPlayer(sampleRate: 8_000)
            let samples = Double(producer.samplesPerStep(at: 8_000)) / 8_000
            _ = try producer.run(scarce, strategy: .buffered(seconds: (Double(short) - 0.5) * samples))
            #expect(
                scarce.output.underrunCount == 1, "seed \(seed): p \(p) s \(s) steps \(steps) short \(short)")
            #expect(scarce.heard(source).fault == nil && scarce.heard(source).gaps == 1, "seed \(seed)")
            tight += 1
        }
        #expect(tight > 300)
    }

    @Test(
        "auto never underruns at a constant speed, and waits no longer than the formula asks at a tenth slower, plus two stalls"
    )
    func autoAtConstantSpeed() throws {
        for seed in UInt64(1000)..<1400 {
            var random = SeededGenerator(seed: seed)
            let p = Double.random(in: 0.02...0.3, using: &random)
            let slowness = Double.random(in: 0.05...4, using: &random)
            let steps = Int.random(in: 1...60, using: &random)
            let producer = SteadyProducer(steps: steps, audioPerStep: p, stepTime: p * slowness)
            let player = try VirtualPlayer(sampleRate: 8_000)
            let source = try producer.run(player, strategy: .auto)
            #expect(player.output.underrunCount == 0, "seed \(seed)")
            #expect(player.heard(source).stretches.count == 1, "seed \(seed)")
            #expect(player.heard(source).matched == source.count, "seed \(seed)")

            let total = Double(source.count) / 8_000
            let slower = 1.1 * slowness
            let buffer =
                PlaybackStrategy.requiredBuffer(
                    remaining: total, audioPerStep: p, stepTime: p * slower, lead: 0, minimum: 0.08)
                + PlaybackStrategy.wholeStepAllowance(audioPerStep: p, stepTime: p * slower) + 0.036 + 0.65
            let limit = min(total, buffer + p) * slowness + 0.001
            let first = try #require(player.output.timeToFirstSound, "seed \(seed)")
            #expect(first <= limit, "seed \(seed): \(first) s, formula \(limit) s")
        }
    }

    @Test("A stall within the lead is not heard; one beyond it is one gap, and the cushion grows")
    func stalls() throws {
        let fast = SteadyProducer(steps: 30, audioPerStep: 0.1, stepTime: 0.02, stalls: [10: 0.3])
        let covered = try VirtualPlayer()
        _ = try fast.run(covered, strategy: .auto)
        #expect(covered.output.underrunCount == 0)

        let late = SteadyProducer(steps: 30, audioPerStep: 0.1, stepTime: 0.02, stalls: [4: 2])
        let player = try VirtualPlayer()
        let source = try late.run(player, strategy: .auto)
        #expect(player.output.underrunCount == 1)
        #expect(player.heard(source).fault == nil)
        #expect(player.heard(source).gaps == 1)
    }

    @Test("Assessing anew never interrupts audio that is playing")
    func neverStopsFeeding() throws {
        let player = try VirtualPlayer()
        let source = distinctAudio(24_000 * 3)
        try player.start(.auto)
        for index in 0..<30 {
            let chunk = Array(source[index * 2400..<(index + 1) * 2400])
            // Fast at first; then the steps claim to be a hundred times too slow, which the queue says they are not.
            let step = GenerationStep(stepTime: index < 3 ? 0.001 : 10, remaining: 1000)
            player.run(until: player.now + 0.05)
            try player.act { try $0.enqueueAudioChunk(chunk, step: step) }
            if index == 10 { try player.output.setBufferDuration(100) }
            if index >= 3 { #expect(player.output.silentBufferRemaining == 0) }
        }
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.heard(source).stretches.count == 1)
        #expect(player.output.underrunCount == 0)
    }

    @Test("silentBufferRemaining counts down to 0 and is infinite while the end is waited for")
    func silentBufferRemaining() throws {
        let player = try VirtualPlayer()
        #expect(player.output.silentBufferRemaining == 0)
        try player.start(.buffered(seconds: 1))
        #expect(abs(player.output.silentBufferRemaining - 1) < 1e-4)
        try player.act { try $0.enqueueAudioChunk([Float](repeating: 0.1, count: 6000)) }
        #expect(abs(player.output.silentBufferRemaining - 0.75) < 1e-4)
        #expect(player.output.playbackState == .buffering)
        #expect(player.output.currentPlaybackTime == 0)
        try player.act { try $0.enqueueAudioChunk([Float](repeating: 0.1, count: 18_000)) }
        #expect(player.output.silentBufferRemaining == 0)
        #expect(player.output.playbackState == .playing)
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.output.playbackState == .idle)

        try player.start(.generateFirst)
        #expect(player.output.silentBufferRemaining == .infinity)
        try player.act { try $0.enqueueAudioChunk([Float](repeating: 0.1, count: 48_000)) }
        player.run(until: player.now + 5)
        #expect(player.sink.starts.count == 1)
        player.act { $0.finish() }
        #expect(player.sink.starts.count == 2)
        #expect(player.runToEnd())
    }

    @Test("An end that is declared late is no underrun")
    func lateFinish() throws {
        let player = try VirtualPlayer()
        let producer = SteadyProducer(steps: 10, audioPerStep: 0.1, stepTime: 0.05)
        let source = try producer.run(player, strategy: .stream, beforeFinish: 3)
        #expect(player.output.underrunCount == 0)
        #expect(player.heard(source).stretches.count == 1)
        #expect(player.heard(source).matched == source.count)
    }

    @Test(
        "Chunks of one sample, and audio shorter than a fade, come out whole",
        arguments: [1, 100, 256, 511, 600])
    func tinyAudio(count: Int) throws {
        let player = try VirtualPlayer()
        let source = distinctAudio(count)
        try player.start(.stream)
        for sample in source { try player.output.enqueueAudioChunk([sample]) }
        try player.output.enqueueAudioChunk([])
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.heard(source).fault == nil)
        #expect(player.heard(source).matched == count)
        #expect(player.output.currentPlaybackTime == player.output.scheduledAudioDuration)
    }

    @Test("No audio at all: ends at once, the device is closed")
    func noAudio() throws {
        let player = try VirtualPlayer()
        try player.start(.auto)
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.sink.written.isEmpty)
        #expect(player.sink.closeCount == 1)
        #expect(player.output.timeToFirstSound == nil)
    }
}

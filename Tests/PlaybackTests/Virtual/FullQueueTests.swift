import TestSupport
import Testing

@testable import Playback

@Suite("A queue that is full, in virtual time")
struct FullQueueTests {
    @Test(
        "A chunk refused and handed over again is heard once, and the converter's rest finds room",
        arguments: [24_000, 48_000, 22_050])
    func retries(deviceRate: Int) throws {
        for seed in UInt64(0)..<60 {
            var random = SeededGenerator(seed: seed)
            // Not less than the chunks and the converter's rest; sound goes on while the producer waits.
            let limit = Int.random(in: 12_000...20_000, using: &random)
            let player = try VirtualPlayer(queueLimit: limit) { $0.deviceRate = deviceRate }
            let source = (0..<48_000).map { 0.5 + 0.1 * Float($0 % 7) }
            try player.start(.stream)
            var (offset, refusals) = (0, 0)
            while offset < source.count {
                let count = min(source.count - offset, Int.random(in: 1...4000, using: &random))
                let chunk = Array(source[offset..<offset + count])
                while true {
                    let scheduled = player.output.scheduledAudioDuration
                    do {
                        try player.act { try $0.enqueueAudioChunk(chunk) }
                        break
                    } catch {
                        guard case .queueFull = error as? PlaybackError else { throw error }
                        refusals += 1
                        #expect(player.output.scheduledAudioDuration == scheduled, "seed \(seed)")
                        player.run(until: player.now + 0.01)
                    }
                }
                offset += count
            }
            player.act { $0.finish() }
            #expect(player.runToEnd())
            #expect(refusals > 10, "seed \(seed)")
            let converted = try resample(source, from: 24_000, to: deviceRate)
            let heard = player.heard(converted)
            #expect(heard.fault == nil, "seed \(seed)")
            #expect(heard.matched == converted.count, "seed \(seed)")
            #expect(heard.stretches.count == 1, "seed \(seed)")
            #expect(player.output.currentPlaybackTime == 2, "seed \(seed)")
        }
    }

    @Test("A step whose audio was refused is recorded once: `auto` starts when it would have started")
    func stepRecordedOnce() throws {
        var starts: [Double] = []
        for refused in [false, true] {
            let player = try VirtualPlayer(sampleRate: 8_000, queueLimit: refused ? 24_000 : .max)
            try player.start(.auto)
            // Slow steps, then one that does not fit; were it counted, the machine would pass for a fast one.
            for index in 0..<3 {
                player.run(until: Double(index + 1))
                let step = GenerationStep(stepTime: 1, remaining: 40, coming: [0.8])
                try player.act { try $0.enqueueAudioChunk([Float](repeating: 0.5, count: 6400), step: step) }
            }
            if refused {
                for _ in 0..<20 {
                    #expect(throws: PlaybackError.queueFull(limitSeconds: 3)) {
                        try player.output.enqueueAudioChunk(
                            [Float](repeating: 0.5, count: 6400), step: GenerationStep(stepTime: 0.01, remaining: 40))
                    }
                }
            }
            // Assesses the gate anew, from what has been recorded.
            player.run(until: 4)
            let step = GenerationStep(stepTime: 1, remaining: 40, coming: [0.8])
            try player.act { try $0.enqueueAudioChunk([Float](repeating: 0.5, count: 3200), step: step) }
            starts.append(player.output.silentBufferRemaining)
        }
        #expect(starts[0] == starts[1] && starts[0] > 0)
    }
}

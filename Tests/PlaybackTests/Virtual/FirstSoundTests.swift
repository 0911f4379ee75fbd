import Testing

@testable import Playback

@Suite("Time to first sound, in virtual time")
struct FirstSoundTests {
    @Test("It counts what lies beyond the device's buffer, the lead-in and the wait for audio, to the sample")
    func delay() throws {
        for (extraDelay, leadIn, wait) in [(0, 0.0, 0.0), (4800, 0, 0), (4800, 0.25, 0.3), (72_000, 0, 0.1)] {
            let player = try VirtualPlayer(configuration: OutputConfiguration(leadIn: leadIn)) {
                $0.extraDelay = extraDelay
            }
            try player.start(.stream)
            player.run(until: wait)
            try player.act { try $0.enqueueAudioChunk(distinctAudio(120_000)) }
            let expected = wait + leadIn + Double(extraDelay) / 24_000
            player.run(until: max(0, expected - 0.001))
            #expect(player.output.timeToFirstSound == nil)
            player.act { $0.finish() }
            #expect(player.runToEnd())
            let first = try #require(player.output.timeToFirstSound)
            #expect(abs(first - expected) < 1.0 / 24_000, "\(first) s, not \(expected) s")
        }
    }

    @Test("A device that fails before it has played anything has made no sound")
    func failed() throws {
        let player = try VirtualPlayer { $0.startFault = .failed(.deviceLost(device: "hw:1")) }
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(distinctAudio(12_000)) }
        #expect(player.ended)
        #expect(player.output.failure == .deviceLost(device: "hw:1"))
        #expect(player.output.timeToFirstSound == nil)
    }
}

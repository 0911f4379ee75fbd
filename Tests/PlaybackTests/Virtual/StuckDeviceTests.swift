import Testing

@testable import Playback

@Suite("A device that takes no more, in virtual time")
struct StuckDeviceTests {
    private func isStuck(_ error: PlaybackError?) -> Bool {
        if case .deviceStuck = error { true } else { false }
    }

    @Test("Whenever it hangs, the end comes, the device is closed, and what was not heard is owned up to")
    func end() throws {
        for moment in Array(stride(from: 0.0, to: 0.55, by: 0.0411)) + [0.4795] {
            for finishes in [0.0, 0.25, 0.49] {
                let player = try VirtualPlayer()
                player.sink.stuckFrom = player.origin + UInt64(moment * 1e9)
                try player.start(.stream)
                try player.act { try $0.enqueueAudioChunk(distinctAudio(12_000)) }
                player.run(until: finishes)
                player.act { $0.finish() }
                #expect(player.runToEnd(), "stuck at \(moment) s")
                #expect(player.sink.closeCount == 1)
                #expect(player.output.playbackState == .idle)
                #expect(player.now < 12, "stuck at \(moment) s, ended at \(player.now) s")
                // At the end all of it has been handed over: the device alone knows.
                let isWhole = player.sink.written.filter { $0 != 0 }.count == 12_000
                #expect(isStuck(player.output.failure) == !isWhole, "stuck at \(moment) s")
            }
        }
    }

    @Test("A tail that the device never takes, at a pause at the very end, is given up a second later")
    func tail() throws {
        let player = try VirtualPlayer { $0.writeLimit = 0 }
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(distinctAudio(300)) }
        player.act { $0.finish() }
        player.act { $0.pause() }
        #expect(player.output.playbackState == .ending)
        #expect(player.runToEnd())
        #expect(isStuck(player.output.failure))
        #expect(player.sink.closeCount == 1)
        #expect(player.now < 1.1)
    }

    @Test("A server that holds the stream for five seconds loses nothing")
    func held() throws {
        let player = try VirtualPlayer()
        let source = distinctAudio(24_000)
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(source) }
        player.run(until: 0.3)
        player.sink.stuckFrom = player.clock.nanoseconds
        player.run(until: 5.3)
        player.sink.release()
        player.act { $0.finish() }
        #expect(player.runToEnd())
        #expect(player.output.failure == nil)
        #expect(player.heard(source).matched == source.count)
        #expect(player.output.currentPlaybackTime == 1)
    }

    @Test("A stop of a device that hangs takes no longer than another")
    func stop() throws {
        let player = try VirtualPlayer()
        try player.start(.stream)
        try player.act { try $0.enqueueAudioChunk(distinctAudio(24_000)) }
        player.run(until: 0.3)
        player.sink.stuckFrom = player.clock.nanoseconds
        player.run(until: 1)
        player.act { $0.session?.stop() }
        #expect(player.runToEnd())
        #expect(player.now < 1.07)
        #expect(player.sink.closeCount == 1)
    }
}

import Glibc
import Synchronization
import Testing

@testable import Playback

@Suite("Audio output with its thread")
struct AudioOutputTests {
    @Test("Plays to its end and can be used again; unusable values are refused by name")
    func plays() async throws {
        let output = AudioOutput(sink: NullSink())
        #expect(output.sampleRate == 24_000)
        #expect(throws: PlaybackError.invalidSampleRate(0)) { try output.configure(sampleRate: 0) }
        #expect(throws: PlaybackError.notPlaying) { try output.enqueueAudioChunk([0.1]) }
        #expect(throws: PlaybackError.invalidBufferDuration(-1)) {
            try output.startPlayback(strategy: .buffered(-1))
        }
        #expect(throws: PlaybackError.self) { try output.setBufferDuration(.nan) }
        try output.configure(sampleRate: 16_000)
        for round in 1...2 {
            try output.startPlayback(strategy: .stream)
            try output.enqueueAudioChunk([Float](repeating: 0.1, count: 1600 * round))
            await output.stopPlayback()
            #expect(output.currentPlaybackTime == 0.1 * Double(round))
            #expect(output.scheduledAudioDuration == 0.1 * Double(round))
            #expect(output.playbackState == .idle)
            #expect(output.lead == 0)
        }
        await output.stopPlayback()
    }

    @Test("Cancelling the task that waits for the end stops playback")
    func cancellation() async throws {
        let output = AudioOutput(sink: NullSink())
        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk([Float](repeating: 0.1, count: 24_000 * 3600))
        let waiting = Task { await output.stopPlayback() }
        try await Task.sleep(nanoseconds: 20_000_000)
        waiting.cancel()
        // Would take an hour.
        await waiting.value
        #expect(output.playbackState == .idle)
        #expect(output.currentPlaybackTime < 3600)
    }

    @Test("An output that is dropped while it plays closes its sink")
    func dropped() async throws {
        let clock = VirtualClock()
        let sink = ClosingSink(NullSink(clock: clock))
        do {
            let output = AudioOutput(sink: sink)
            try output.startPlayback(strategy: .stream)
            try output.enqueueAudioChunk([Float](repeating: 0.1, count: 24_000 * 3600))
        }
        // Its clock stands still: only a stop can end it.
        for _ in 0..<1000 where !sink.isClosed { usleep(5000) }
        #expect(sink.isClosed)
    }

    @Test("Asking from many threads while audio is handed over, paused and turned down")
    func manyThreads() async throws {
        let output = AudioOutput(sink: NullSink())
        try output.startPlayback(strategy: .stream)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var last = 0.0
                    for index in 0..<2000 {
                        let position = output.currentPlaybackTime
                        #expect(position >= last && position <= output.scheduledAudioDuration)
                        last = position
                        _ = output.silentBufferRemaining + output.lead
                        if index % 100 == 0 { output.volume = Float(index % 7) / 7 }
                        if index % 500 == 100 { output.pause() }
                        if index % 500 == 200 { output.resume() }
                    }
                    output.resume()
                }
            }
            group.addTask {
                for _ in 0..<200 { try? output.enqueueAudioChunk([Float](repeating: 0.1, count: 100)) }
            }
        }
        output.resume()
        await output.stopPlayback()
        #expect(output.scheduledAudioDuration == 20_000.0 / 24_000)
        #expect(abs(output.currentPlaybackTime - output.scheduledAudioDuration) < 1e-9)
    }

    @Test(
        "waitForLead returns when little is queued, at once when sound waits for more, and throws when cancelled"
    )
    func waitForLead() async throws {
        let output = AudioOutput(sink: NullSink())
        try await output.waitForLead(below: 0)
        try output.startPlayback(strategy: .generateFirst)
        try output.enqueueAudioChunk([Float](repeating: 0.1, count: 24_000))
        try await output.waitForLead(below: 0.1)
        try output.setBufferDuration(0)
        for _ in 0..<1000 where output.playbackState != .playing { usleep(2000) }
        let waiting = Task { try await output.waitForLead(below: 0) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        try await output.waitForLead(below: 0.5)
        #expect(output.lead <= 0.5)
        await output.stopPlayback(waitForCompletion: false)
    }
}

/// Tells whether it has been closed.
private final class ClosingSink: ForwardingSink {
    let base: NullSink
    private let closed = Atomic<Bool>(false)
    var isClosed: Bool { closed.load(ordering: .acquiring) }

    init(_ base: NullSink) { self.base = base }

    func close() {
        base.close()
        closed.store(true, ordering: .releasing)
    }
}

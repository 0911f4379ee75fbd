import Foundation
import Synchronization
import Testing

@testable import Playback

@Suite("A device that takes its time to open")
struct SlowOpeningTests {
    /// Opens when it is let.
    private final class SlowSink: ForwardingSink {
        let base = NullSink()
        let isOpening = Atomic<Bool>(false)
        let isLet = Atomic<Bool>(false)
        /// Lets itself after so long, so that a test that would wait for ever fails instead.
        static let limit = 4000

        func open(sampleRate: Int, bufferSeconds: Double) throws(PlaybackError) -> SinkFormat {
            isOpening.store(true, ordering: .releasing)
            for _ in 0..<Self.limit where !isLet.load(ordering: .acquiring) { usleep(1000) }
            isLet.store(true, ordering: .releasing)
            return try base.open(sampleRate: sampleRate, bufferSeconds: bufferSeconds)
        }
    }

    @Test("Meanwhile every member answers, a second start is refused, and a stop waits and then stops")
    func answers() async throws {
        let sink = SlowSink()
        let output = AudioOutput(sink: sink)
        async let started: PlaybackError? = onThread {
            do throws(PlaybackError) {
                try output.startPlayback(strategy: .stream)
                return nil
            } catch {
                return error
            }
        }
        await onThread {
            while !sink.isOpening.load(ordering: .acquiring) { usleep(500) }
            #expect(output.currentPlaybackTime == 0 && output.lead == 0 && output.silentBufferRemaining == 0)
            #expect(output.playbackState == .buffering)
            output.volume = 0.5
            #expect(throws: PlaybackError.alreadyPlaying) { try output.startPlayback() }
            #expect(throws: PlaybackError.notPlaying) { try output.enqueueAudioChunk([0.1]) }
            let isLet = sink.isLet.load(ordering: .acquiring)
            #expect(!isLet, "asked in vain while the device opened")
        }
        async let stopped: Void = output.stopPlayback(waitForCompletion: false)
        try await Task.sleep(nanoseconds: 5_000_000)
        sink.isLet.store(true, ordering: .releasing)
        #expect(await started == nil)
        await stopped
        #expect(output.session?.controls.volume == 0.5)
        #expect(output.playbackState == .idle)

        try output.startPlayback(strategy: .stream)
        try output.enqueueAudioChunk([Float](repeating: 0.1, count: 2400))
        await output.stopPlayback()
        #expect(output.currentPlaybackTime == 0.1)
    }
}

import Foundation
import Testing

@testable import Playback

/// Real time, through ALSA's pulse plugin to a null sink whose monitor is recorded.
@Suite("ALSA with PulseAudio in real time", .serialized, .enabled(if: PulseServer.isInstalled))
struct PulseTests {
    @Test(
        "auto with a throttled producer: no underrun, no gap, no step at a join, every sample as it was given",
        arguments: [0.8, 1, 1.2, 2])
    func throttled(speed: Double) async throws {
        async let steady: Void = play(Throttling(speed: speed), .auto)
        // While audio is collected or sound has just begun, and while it plays.
        async let stalled: Void = play(Throttling(speed: speed, stalls: [1, 12]), .auto)
        _ = try await (steady, stalled)
    }

    @Test("stream with a producer slower than sound: each gap is counted, and faded on both sides")
    func underruns() async throws {
        try await play(Throttling(speed: 0.7), .stream, expectsUnderruns: true)
    }

    private func play(
        _ throttling: Throttling, _ strategy: PlaybackStrategy, expectsUnderruns: Bool = false
    ) async throws {
        let producer = Producer(throttling: throttling)
        try await PulsePlayback.judge(expectsUnderruns: expectsUnderruns) {
            try await producer.play(strategy)
        }
    }

    @Test("Pausing and stopping in real time: faded edges, and the device can be opened again")
    func pauseAndStop() async throws {
        let source = speechLike(24_000 * 2)
        let claims = RecordingClaims(sentences: [0..<source.count], joins: [])
        let heard = try await PulseServer.record { server in
            let output = AudioOutput(
                device: OutputDevice(server.device), configuration: PulsePlayback.configuration)
            try output.startPlayback(strategy: .stream)
            try output.enqueueAudioChunk(source)
            usleep(600_000)
            output.pause()
            usleep(400_000)
            let position = output.currentPlaybackTime
            usleep(100_000)
            #expect(output.currentPlaybackTime == position)
            output.resume()
            usleep(600_000)
            await output.stopPlayback(waitForCompletion: false)
            try output.startPlayback(strategy: .stream)
            await output.stopPlayback()
            #expect(output.failure == nil)
        }
        let recording = Recording(heard, of: source, fade: 256)
        #expect(recording.fault == nil)
        #expect(recording.matched > 2400 && recording.matched < source.count)
        #expect(recording.gaps.count == 1)
        #expect(recording.steepSteps(claims) == [])
    }

    @Test("A server that dies while it plays ends the playback, with that as its reason")
    func deadServer() async throws {
        // The recorder has lost it too.
        await #expect(throws: MonitorRecorder.RecordsNothing.self) {
            _ = try await PulseServer.record { server in
                let output = AudioOutput(device: OutputDevice(server.device))
                try output.startPlayback(strategy: .stream)
                try output.enqueueAudioChunk(speechLike(24_000 * 60))
                usleep(300_000)
                server.end()
                await output.stopPlayback()
                #expect(output.failure == .deviceLost(device: server.device))
                #expect(output.playbackState == .idle)
            }
        }
    }
}

/// Makes audio in steps of 125 ms, on a thread of its own.
private struct Producer {
    let throttling: Throttling
    private let source = speechLike(24_000 * 3)
    private let steps: [Range<Int>]

    init(throttling: Throttling) {
        self.throttling = throttling
        steps = stride(from: 0, to: source.count, by: 3000).map { $0..<$0 + 3000 }
    }

    /// The whole is one sentence.
    var claims: RecordingClaims {
        RecordingClaims(sentences: [0..<source.count], joins: steps.dropFirst().map(\.lowerBound))
    }

    func play(_ strategy: PlaybackStrategy) async throws -> PulsePlayback {
        let watch = SchedulerWatch()
        defer { watch.stop() }
        let result = Result()
        let heard = try await PulseServer.record { server in
            let output = AudioOutput(
                device: OutputDevice(server.device), configuration: PulsePlayback.configuration)
            try output.startPlayback(strategy: strategy)
            result.lateness = try await onThread { Swift.Result { try produce(to: output) } }.get()
            await output.stopPlayback()
            #expect(output.failure == nil)
            #expect(output.currentPlaybackTime == output.scheduledAudioDuration)
            result.underruns = output.underrunCount
        }
        return PulsePlayback(
            recording: Recording(heard, of: source, fade: 256), claims: claims, underruns: result.underruns,
            starvation: max(result.lateness, watch.worstLateness))
    }

    private final class Result: @unchecked Sendable {
        // SAFETY: written while the test waits, read after that.
        var underruns = 0
        var lateness = 0.0
    }

    /// Returns by how much the latest step came late.
    private func produce(to output: AudioOutput) throws -> Double {
        let clock = SystemClock()
        var due = clock.nanoseconds
        var begun = due
        var worst = 0.0
        for (index, step) in steps.enumerated() {
            due += UInt64(throttling.stepTime(index, audio: Double(step.count) / 24_000) * 1e9)
            let now = clock.nanoseconds
            if due > now { usleep(UInt32((due - now) / 1000)) }
            let done = clock.nanoseconds
            worst = max(worst, Double(done - min(done, due)) / 1e9)
            try output.enqueueAudioChunk(
                Array(source[step]),
                step: GenerationStep(
                    stepTime: Double(done - begun) / 1e9,
                    remaining: Double(source.count - step.upperBound) / 24_000))
            begun = done
        }
        output.finish()
        return worst
    }
}

/// Two tones whose loudness comes and goes; loud at both ends.
private func speechLike(_ count: Int) -> [Float] {
    (0..<count).map { index in
        let time = Double(index) / 24_000
        let loudness = 0.55 + 0.45 * cos(2 * Double.pi * 3 * time)
        return Float(
            loudness * (0.5 * cos(2 * Double.pi * 180.3 * time) + 0.3 * cos(2 * Double.pi * 411 * time)))
    }
}

import Foundation
import Testing

@testable import Playback

/// Real time, through ALSA's pulse plugin to a null sink whose monitor is recorded. Other processes may keep this one
/// from running, so nothing is asserted about time: whatever happens, no sample may be lost or doubled, audio may be
/// touched next to gaps alone, and each gap must have been counted.
@Suite("ALSA with PulseAudio in real time", .serialized, .enabled(if: PulseServer.isAskedFor))
struct PulseTests {
    /// Generation at so many times real time, with the stalls given.
    struct Producer: Sendable, CustomStringConvertible {
        var speed: Double
        var stalls: Set<Int> = []
        var description: String { "\(speed) x real time, stalls at \(stalls.sorted())" }
    }

    @Test(
        "auto with a throttled producer: the recording is the source with gaps where underruns were counted",
        arguments: [
            Producer(speed: 0.8), Producer(speed: 1), Producer(speed: 1.2), Producer(speed: 2),
            Producer(speed: 0.8, stalls: [6, 14]), Producer(speed: 2, stalls: [6, 14]),
        ])
    func throttled(producer: Producer) async throws {
        let server = try PulseServer()
        defer { server.stop() }
        let source = speechLike(24_000 * 3)
        let output = AudioOutput(
            device: OutputDevice("server"), configuration: OutputConfiguration(deviceBuffer: 0.1, leadIn: 0.2)
        )
        let heard = try await server.record {
            try output.startPlayback(strategy: .auto)
            let perStep = 2400
            let steps = source.count / perStep
            for index in 0..<steps {
                let seconds = 0.1 / producer.speed + (producer.stalls.contains(index) ? 0.3 : 0)
                try await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
                try output.enqueueAudioChunk(
                    Array(source[index * perStep..<(index + 1) * perStep]),
                    step: GenerationStep(stepTime: seconds, remaining: Double(steps - index - 1) * 0.1))
            }
            await output.stopPlayback()
        }
        #expect(output.failure == nil)
        #expect(output.currentPlaybackTime == output.scheduledAudioDuration)
        check(heard, source: source, underruns: output.underrunCount)
    }

    @Test("Pausing and stopping in real time: faded edges, and the device can be opened again")
    func pauseAndStop() async throws {
        let server = try PulseServer()
        defer { server.stop() }
        let source = speechLike(24_000 * 2)
        let output = AudioOutput(
            device: OutputDevice("server"), configuration: OutputConfiguration(leadIn: 0.2))
        var positions: [Double] = []
        let heard = try await server.record {
            try output.startPlayback(strategy: .stream)
            try output.enqueueAudioChunk(source)
            try await Task.sleep(nanoseconds: 600_000_000)
            output.pause()
            try await Task.sleep(nanoseconds: 400_000_000)
            positions.append(output.currentPlaybackTime)
            try await Task.sleep(nanoseconds: 100_000_000)
            positions.append(output.currentPlaybackTime)
            output.resume()
            try await Task.sleep(nanoseconds: 600_000_000)
            await output.stopPlayback(waitForCompletion: false)
            try output.startPlayback(strategy: .stream)
            await output.stopPlayback()
        }
        #expect(positions[0] == positions[1])
        let found = Heard(heard, source: source, breaks: [], fade: 256)
        #expect(found.fault == nil)
        #expect(found.matched > 2400 && found.matched < source.count)
        #expect(found.gaps == 1 + output.underrunCount || found.gaps == 1)
        #expect(largestStep(heard) <= largestStep(source) + Float.pi / 512)
    }

    private func check(_ heard: [Float], source: [Float], underruns: Int) {
        let found = Heard(heard, source: source, breaks: [], fade: 256)
        #expect(found.fault == nil)
        #expect(found.matched == source.count)
        #expect(found.gaps == underruns)
        if underruns == 0 { #expect(found.stretches.count == 1) }
        #expect(largestStep(heard) <= largestStep(source) + Float.pi / 512)
    }

    private func largestStep(_ samples: [Float]) -> Float {
        zip(samples, samples.dropFirst()).map { abs($1 - $0) }.max() ?? 0
    }

    /// Two tones whose loudness comes and goes; no sample is 0.
    private func speechLike(_ count: Int) -> [Float] {
        (0..<count).map { index in
            let time = Double(index) / 24_000
            let loudness = 0.55 + 0.45 * sin(2 * Double.pi * 3 * time)
            let sample = Float(
                loudness * (0.5 * sin(2 * Double.pi * 180 * time) + 0.3 * sin(2 * Double.pi * 411 * time)))
            return sample == 0 ? 1e-6 : sample
        }
    }
}

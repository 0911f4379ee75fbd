import Foundation
import Syrinx
import Testing

@testable import Playback

/// The default voice, played in real time by ALSA and PulseAudio with its decoder throttled and stalled, and
/// recorded. The recording is the speech, in one piece where no underrun was counted.
@Suite("Speech through PulseAudio", .serialized, .enabled(if: PulseServer.isAskedFor))
struct SpeechPulseTests {
    private static let paragraph = "The rain has stopped. Somebody opens a window, and the street is heard again."

    @Test(
        "A throttled decoder: no gap within a sentence and no step at a join but at counted underruns",
        arguments: [(0.8, false), (1, false), (1.2, false), (2, false), (0.8, true), (2, true)])
    func throttled(speed: Double, hasStalls: Bool) async throws {
        let server = try PulseServer()
        defer { server.stop() }
        let path = ProcessInfo.processInfo.environment["SYRINX_TEST_VOICE"]
        let voice = try VoiceLibrary().voice(named: path ?? VoiceLibrary.defaultVoice)
        let output = AudioOutput(
            device: OutputDevice("server"), configuration: OutputConfiguration(deviceBuffer: 0.1))
        let options = GenerationOptions(seed: 4, sampleRate: 24_000)
        let whole = try await SpeechSynthesizer(voice: voice).generate(text: Self.paragraph, options: options)
        let tts = SpeechSynthesizer(
            source: Throttle(source: VoiceSpeechSource(voice: voice), speed: speed, stalls: hasStalls ? [2, 6] : []),
            audioOutput: output)
        var played: SpeechResult?
        let heard = try await server.record {
            played = try await tts.play(text: Self.paragraph, options: options, playbackStrategy: .auto)
        }
        let result = try #require(played)
        #expect(result.audio == whole.audio)
        #expect(result.finishReason == .finished)

        let found = Self.trimmed(heard)
        if result.underrunCount == 0 {
            // The server's samples are the very samples.
            #expect(found == Self.trimmed(result.audio))
        }
        // Gaps are told from the speech's own silence, the pause between the sentences, by their number.
        let gaps = Self.silences(found, longerThan: 120).count
        let own = Self.silences(Self.trimmed(result.audio), longerThan: 120).count
        #expect(gaps <= own + result.underrunCount)
        #expect(Self.largestStep(found) <= Self.step(result.audio, atPercentile: 1) * 1.01 + Float.pi / 512)
    }

    private static func trimmed(_ samples: [Float]) -> [Float] {
        guard let first = samples.firstIndex(where: { $0 != 0 }), let last = samples.lastIndex(where: { $0 != 0 }) else {
            return []
        }
        return Array(samples[first...last])
    }

    /// Runs of zeros of more than so many samples.
    private static func silences(_ samples: [Float], longerThan limit: Int) -> [Int] {
        var runs: [Int] = []
        var length = 0
        for sample in samples {
            if sample == 0 {
                length += 1
            } else {
                if length > limit { runs.append(length) }
                length = 0
            }
        }
        return runs
    }

    private static func largestStep(_ samples: [Float]) -> Float { step(samples, atPercentile: 1) }

    private static func step(_ samples: [Float], atPercentile part: Double) -> Float {
        let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }.sorted()
        return steps.isEmpty ? 0 : steps[min(steps.count - 1, Int(Double(steps.count) * part))]
    }
}

/// A source made slower, with 300 ms lost at some steps.
private struct Throttle: SpeechSource {
    let source: any SpeechSource
    let speed: Double
    let stalls: Set<Int>

    var sampleRate: Int { source.sampleRate }

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        Reader(
            try source.reader(of: input, options: options, wantsAll: wantsAll, cancellation: cancellation), self)
    }

    private final class Reader: SpeechReader {
        private let reader: any SpeechReader
        private let throttle: Throttle
        private let clock = SystemClock()
        private var step = 0

        init(_ reader: any SpeechReader, _ throttle: Throttle) {
            self.reader = reader
            self.throttle = throttle
        }

        func prepare() throws { try reader.prepare() }

        func next() throws -> SpeechPiece? {
            let start = clock.nanoseconds
            let piece = try reader.next()
            let spent = Double(clock.nanoseconds - start) / 1e9
            let due = Double(piece?.samples.count ?? 0) / Double(throttle.sampleRate) / throttle.speed
                + (throttle.stalls.contains(step) ? 0.3 : 0)
            step += 1
            if due > spent { Thread.sleep(forTimeInterval: due - spent) }
            return piece
        }
    }
}

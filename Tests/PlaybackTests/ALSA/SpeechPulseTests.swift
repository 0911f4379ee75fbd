import Foundation
import Synchronization
import Syrinx
import Testing

@testable import Playback

/// A voice played in real time by ALSA and PulseAudio, its decoder throttled and stalled, and recorded.
@Suite("Speech through PulseAudio", .serialized, .enabled(if: PulseServer.isInstalled))
struct SpeechPulseTests {
    private static let paragraph = """
        The rain has stopped. Somebody opens a window, and the street is heard again. It is late.
        """
    /// Half as loud: the small voice reaches full scale, and a device clips what the rate conversion adds to that.
    private static let options = GenerationOptions(volume: 0.5, seed: 4, sampleRate: 24_000)

    @Test(
        "auto with a throttled decoder: no underrun, no gap within a sentence, no step at a join, the very samples",
        arguments: [0.8, 1, 1.2, 2])
    func throttled(speed: Double) async throws {
        let voice = try Self.voice()
        let whole = try await SpeechSynthesizer(voice: voice).generate(Self.input, options: Self.options)
        async let steady: Void = play(whole, voice, Throttling(speed: speed))
        async let stalled: Void = play(whole, voice, Throttling(speed: speed, stalls: [2, 6]))
        _ = try await (steady, stalled)
    }

    private static var voicePath: String? { ProcessInfo.processInfo.environment["SYRINX_TEST_VOICE"] }

    /// The voice of SYRINX_TEST_VOICE, or else a small one.
    private static func voice() throws -> Voice {
        let tests = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try Voice(
            contentsOf: voicePath ?? tests.appendingPathComponent("Golden/voices/tiny-medium.onnx").path)
    }

    /// A paragraph; for the small voice, which was not trained to say anything, ids.
    private static var input: SpeechInput {
        if voicePath != nil { return .text(paragraph) }
        return .ids(
            (0..<3).map { sentence in
                [1, 0] + (0..<24).flatMap { [14 + ($0 * 5 + sentence) % 20, 0] } + [2]
            })
    }

    private func play(_ whole: SpeechResult, _ voice: Voice, _ throttling: Throttling) async throws {
        let rate = Double(whole.sampleRate)
        let sentences = whole.sentences.map {
            Int($0.start * rate)..<min(Int($0.end * rate), whole.audio.count)
        }
        try await PulsePlayback.judge {
            let source = ThrottledSource(VoiceSpeechSource(voice: voice), throttling)
            let watch = SchedulerWatch()
            defer { watch.stop() }
            let underruns = Atomic<Int>(0)
            let ends = Mutex<[Int]>([])
            let heard = try await PulseServer.record { server in
                let output = AudioOutput(
                    device: OutputDevice(server.device), configuration: PulsePlayback.configuration)
                let result = try await SpeechSynthesizer(source: source, audioOutput: output).play(
                    Self.input, options: Self.options, playbackStrategy: .auto
                ) { news in
                    ends.withLock { $0.append(($0.last ?? 0) + news.audio.count) }
                    return true
                }
                #expect(firstDifference(result.audio, whole.audio) == nil)
                #expect(result.finishReason == .finished)
                underruns.store(result.underrunCount, ordering: .relaxed)
            }
            return PulsePlayback(
                recording: Recording(heard, of: whole.audio, fade: 256),
                claims: RecordingClaims(sentences: sentences, joins: ends.withLock { Array($0.dropLast()) }),
                underruns: underruns.load(ordering: .relaxed),
                starvation: max(source.lateness, watch.worstLateness))
        }
    }
}

/// A source made slower.
private final class ThrottledSource: SpeechSource {
    private let source: any SpeechSource
    private let throttling: Throttling
    /// Nanoseconds by which the latest step came late.
    private let late = Atomic<UInt64>(0)

    init(_ source: any SpeechSource, _ throttling: Throttling) {
        self.source = source
        self.throttling = throttling
    }

    var sampleRate: Int { source.sampleRate }
    var lateness: Double { Double(late.load(ordering: .relaxed)) / 1e9 }

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        Reader(
            try source.reader(of: input, options: options, wantsAll: wantsAll, cancellation: cancellation),
            self)
    }

    private final class Reader: SpeechReader {
        private let reader: any SpeechReader
        private let throttled: ThrottledSource
        private let clock = SystemClock()
        private var step = 0
        private var due: UInt64?

        init(_ reader: any SpeechReader, _ throttled: ThrottledSource) {
            self.reader = reader
            self.throttled = throttled
        }

        func prepare() throws { try reader.prepare() }

        func next() throws -> SpeechPiece? {
            let start = due ?? clock.nanoseconds
            let piece = try reader.next()
            let audio = Double(piece?.samples.count ?? 0) / Double(throttled.sampleRate)
            let end = start + UInt64(throttled.throttling.stepTime(step, audio: audio) * 1e9)
            step += 1
            let now = clock.nanoseconds
            if end > now { usleep(UInt32((end - now) / 1000)) }
            let done = clock.nanoseconds
            throttled.late.max(done - min(done, end), ordering: .relaxed)
            due = end
            return piece
        }
    }
}

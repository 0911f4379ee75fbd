import Foundation
import Playback
import Synchronization

/// Plays one request to an output.
final class RequestPlayer: Sendable {
    /// Audio is made this many seconds ahead of what is heard, or as many as the strategy calls for if that is more,
    /// and no further: memory is bounded, and a stop wastes little work.
    static let furthestLead = 20.0

    private let output: AudioOutput
    private let strategy: PlaybackStrategy
    private let request: SpeechRequest
    /// Age of the request when this player started the output; nil while it has not.
    private let started = Mutex<Double?>(nil)

    init(output: AudioOutput, strategy: PlaybackStrategy, request: SpeechRequest) {
        self.output = output
        self.strategy = strategy
        self.request = request
    }

    /// Whether the output plays for this request and not for another.
    var isStarted: Bool { started.withLock { $0 } != nil }

    var timeToFirstSound: Double? {
        guard let start = started.withLock({ $0 }) else { return nil }
        return output.timeToFirstSound.map { $0 + start }
    }

    /// On the request's thread.
    func run(_ control: RequestControl, _ callback: SpeechCallback?) throws -> SpeechResult {
        let result = try request.run(control.cancellation) { rate in
            try control.deliver { try start(rate) }
        } deliver: { news in
            let goesOn = try control.deliver {
                try enqueue(news)
                // Before the caller's code: what the end alone brings to be heard must not wait for it.
                if news.fraction == 1 { output.finish() }
                return callback?(news) ?? true
            }
            if goesOn, news.fraction < 1 { try waitForRoom(control) }
            return goesOn
        }
        // A request without a single piece has no last one.
        if result.finishReason == .finished { try control.deliver { output.finish() } }
        return result
    }

    /// Ends the playback, if this player started it, and returns when the device is closed.
    func end(waits: Bool) async {
        if isStarted { await output.stopPlayback(waitForCompletion: waits) }
    }

    private func start(_ rate: Int) throws {
        do throws(PlaybackError) {
            // The assembler has faded both ends: what is heard is what is saved.
            try output.startPlayback(strategy: strategy, sampleRate: rate, fadesEnds: false)
        } catch {
            throw SpeechError.playback(error)
        }
        started.withLock { $0 = request.age }
    }

    private func enqueue(_ news: SpeechProgress) throws {
        do throws(PlaybackError) {
            try output.enqueueAudioChunk(news.audio, step: news.step)
        } catch {
            throw SpeechError.playback(error)
        }
    }

    /// Waits while enough is queued. Wakes up often enough that a cancelled request ends at once.
    private func waitForRoom(_ control: RequestControl) throws {
        while output.silentBufferRemaining == 0, output.lead > max(Self.furthestLead, output.requiredLead) {
            try control.cancellation.check()
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}

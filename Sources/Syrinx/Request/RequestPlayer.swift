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
    private struct State {
        /// Age of the request when this player started the output; nil while it has not.
        var start: Double?
        /// What the output plays for this request.
        var playback: (any AnyObject & Sendable)?
        /// Whether audio was refused, as somebody else had ended the playback.
        var isRefused = false
    }
    private let state = Mutex(State())

    init(output: AudioOutput, strategy: PlaybackStrategy, request: SpeechRequest) {
        self.output = output
        self.strategy = strategy
        self.request = request
    }

    /// Whether the output plays, or has played last, for this request and not for another.
    var isOurs: Bool { state.withLock { $0.playback.map { $0 === output.playback } ?? false } }

    /// Whether the playback was ended by somebody else before all had been heard.
    var isCut: Bool {
        guard state.withLock({ $0.start != nil }) else { return false }
        return isRefused || !isOurs
            || output.isStopRequested && output.currentPlaybackTime < output.scheduledAudioDuration - 0.001
    }

    private var isRefused: Bool { state.withLock { $0.isRefused } }

    var timeToFirstSound: Double? {
        guard isOurs, let start = state.withLock({ $0.start }) else { return nil }
        return output.timeToFirstSound.map { $0 + start }
    }

    /// On the request's thread.
    func run(_ control: RequestControl, _ callback: SpeechCallback?) throws -> SpeechResult {
        // The caller's code runs between two steps, on their thread: to playback a slow callback is a slow step.
        let watch = PhaseWatch()
        var inCallback = 0.0
        let result = try request.run(control.cancellation) { rate in
            try control.deliver { try start(rate) }
        } deliver: { news in
            let goesOn = try control.deliver {
                var step = news.step
                if !news.audio.isEmpty {
                    step.stepTime += inCallback
                    inCallback = 0
                }
                guard try enqueue(news.audio, step) else { return false }
                // Before the caller's code: what the end alone brings to be heard must not wait for it.
                if news.fraction == 1 { output.finish() }
                return watch.measure(&inCallback) { callback?(news) ?? true }
            }
            if goesOn, news.fraction < 1 { try waitForRoom(control) }
            return goesOn && !isStopped
        }
        // A request without a single piece has no last one.
        if result.finishReason == .finished { try control.deliver { if isOurs { output.finish() } } }
        return result
    }

    /// Ends the playback, if this player started it, and returns when the device is closed.
    ///
    /// - Parameter result: of the request; nil if it failed.
    func end(_ result: SpeechResult?) async {
        guard isOurs else { return }
        // Whoever ended the playback has said whether the rest is to be heard.
        await output.stopPlayback(waitForCompletion: result?.finishReason == .finished || result != nil && isRefused)
    }

    /// Whether nothing more is wanted.
    private var isStopped: Bool { !isOurs || output.isStopRequested }

    private func start(_ rate: Int) throws {
        do throws(PlaybackError) {
            // The assembler has faded both ends: what is heard is what is saved.
            try output.startPlayback(strategy: strategy, sampleRate: rate, fadesEnds: false)
        } catch {
            throw SpeechError.playback(error)
        }
        state.withLock { $0 = State(start: request.age, playback: output.playback) }
    }

    /// False if somebody else has ended the playback.
    private func enqueue(_ audio: [Float], _ step: GenerationStep) throws -> Bool {
        do throws(PlaybackError) {
            if !isStopped {
                try output.enqueueAudioChunk(audio, step: step)
                return true
            }
        } catch {
            guard error == .notPlaying else { throw SpeechError.playback(error) }
        }
        state.withLock { $0.isRefused = true }
        return false
    }

    /// Waits while enough is queued. Wakes up often enough that a cancelled request ends at once.
    private func waitForRoom(_ control: RequestControl) throws {
        while !isStopped, output.silentBufferRemaining == 0, output.lead > max(Self.furthestLead, output.requiredLead) {
            try control.cancellation.check()
            Thread.sleep(forTimeInterval: 0.01)
        }
    }
}

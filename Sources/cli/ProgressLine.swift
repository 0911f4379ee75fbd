import Arguments
import Foundation
import Glibc
import Playback
import Synchronization
import Syrinx

/// A line on the terminal that shows where playback is: position, lead, real-time factor. Shown on a terminal only,
/// never in a pipe or file.
final class ProgressLine: Sendable {
    private struct State {
        var audio = 0.0
        var time = 0.0
        var fraction = 0.0
        var hasEnded = false
    }

    private let output: AudioOutput
    private let isShown = isatty(STDERR_FILENO) == 1
    private let state = Mutex(State())

    /// Shows the line five times a second until ``end()``.
    init(output: AudioOutput) {
        self.output = output
        guard isShown else { return }
        Task { [weak self] in
            while let self, self.show() { try await Task.sleep(nanoseconds: 200_000_000) }
        }
    }

    /// Takes note of a step.
    func update(_ news: SpeechProgress) {
        guard isShown else { return }
        state.withLock { state in
            state.audio = news.audioDuration
            state.time += news.stepTime
            state.fraction = news.fraction
        }
    }

    /// Wipes the line away.
    func end() {
        let wasShown = state.withLock { state in
            defer { state.hasEnded = true }
            return isShown && !state.hasEnded
        }
        if wasShown { Self.write("\r\u{1b}[K") }
    }

    private func show() -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.audio > 0 { Self.write("\r\u{1b}[K" + Self.text(output, state)) }
            return true
        }
    }

    private static func text(_ output: AudioOutput, _ state: State) -> String {
        let underruns = output.underrunCount
        return String(
            format: "%@  ready %.0f %%  lead %.1f s  RTF %.2f%@", time(output.currentPlaybackTime),
            state.fraction * 100, output.lead, state.time / max(state.audio, 1e-9),
            underruns == 0 ? "" : "  underruns \(underruns)")
    }

    private static func time(_ seconds: Double) -> String {
        String(format: "%d:%04.1f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60))
    }

    private static func write(_ text: String) {
        StandardStream.note(text)
    }
}

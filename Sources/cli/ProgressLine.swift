import Arguments
import Foundation
import Glibc
import Playback
import Synchronization
import Syrinx

/// A line on the terminal that shows how far the work is: what is heard, or what is made. Shown on a terminal only,
/// never in a pipe or file. On a narrow one it has fewer parts, as a line that wraps could not be replaced.
final class ProgressLine: Sendable {
    private struct State {
        var audio = 0.0
        var time = 0.0
        var fraction = 0.0
        var hasEnded = false
    }

    /// Whether the cursor stands behind such a line. Whoever writes to the terminal holds the lock.
    private static let isOnScreen = Mutex(false)

    private let parts: @Sendable (State) -> [LinePart]
    private let isShown = isatty(STDERR_FILENO) == 1 && !ProgressLine.isDumb
    private let state = Mutex(State())

    /// Shows the line five times a second until ``end()``.
    private init(_ parts: @escaping @Sendable (State) -> [LinePart]) {
        self.parts = parts
        guard isShown else { return }
        Task { [weak self] in
            while let self, self.show() { try await Task.sleep(nanoseconds: 200_000_000) }
        }
    }

    /// Where playback is: position, what is ready, lead, real-time factor.
    static func playing(_ output: AudioOutput) -> ProgressLine {
        ProgressLine { state in
            let underruns = output.underrunCount
            return [
                LinePart(Self.time(output.currentPlaybackTime), importance: 4),
                LinePart(String(format: "ready %.0f %%", state.fraction * 100), importance: 3),
                LinePart(String(format: "lead %.1f s", output.lead), importance: 1),
                LinePart(String(format: "RTF %.2f", state.time / max(state.audio, 1e-9)), importance: 0),
                underruns == 0 ? nil : LinePart("underruns \(underruns)", importance: 2),
            ].compactMap(\.self)
        }
    }

    /// How much of a file is made, and how fast.
    static func writing() -> ProgressLine {
        let start = ContinuousClock.now
        return ProgressLine { state in
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            return [
                LinePart(String(format: "%.0f %%", state.fraction * 100), importance: 2),
                LinePart(Self.time(state.audio) + " made", importance: 1),
                LinePart(String(format: "%.1f × real time", state.audio / max(elapsed, 1e-9)), importance: 0),
            ]
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
        state.withLock { $0.hasEnded = true }
        Self.replace(with: "")
    }

    /// Writes in the place of the line that is on the terminal, if there is one.
    static func replace(with message: String) {
        isOnScreen.withLock { isOnScreen in
            StandardStream.note((isOnScreen ? "\r\u{1b}[K" : "") + message)
            isOnScreen = false
        }
    }

    private func show() -> Bool {
        state.withLock { state in
            guard !state.hasEnded else { return false }
            if state.audio > 0 {
                Self.isOnScreen.withLock { isOnScreen in
                    isOnScreen = true
                    StandardStream.note("\r\u{1b}[K" + parts(state).joined(columns: Self.columns))
                }
            }
            return true
        }
    }

    /// Whether the terminal cannot replace a line, as the one within Emacs.
    private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

    /// Columns that a line may fill: all but the last, as some terminals wrap when that is filled. Asked for each time,
    /// since a window changes; without limit on a terminal that does not know its width.
    private static var columns: Int {
        var size = winsize()
        guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return .max }
        return Int(size.ws_col) - 1
    }

    private static func time(_ seconds: Double) -> String {
        let tenths = Int((seconds * 10).rounded())
        return String(format: "%d:%02d.%d", tenths / 600, tenths / 10 % 60, tenths % 10)
    }
}

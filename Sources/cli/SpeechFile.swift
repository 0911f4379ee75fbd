import DSP
import Glibc
import Synchronization
import Syrinx

/// A WAV file that speech is written to as it is made, and that appears only when it is complete.
final class SpeechFile: Sendable {
    private struct State: ~Copyable {
        var writer: WAVWriter?
        var failure: AudioFileError?
    }

    private let state: Mutex<State>
    private let isPipe: Bool

    /// - Parameter path: `-` is standard output.
    init(path: String, sampleRate: Int) throws {
        isPipe = path == "-"
        state = Mutex(State(writer: try Self.open(path, sampleRate), failure: nil))
    }

    private static func open(_ path: String, _ sampleRate: Int) throws(AudioFileError) -> WAVWriter {
        path == "-"
            ? try WAVWriter(fileDescriptor: STDOUT_FILENO, name: "standard output", sampleRate: sampleRate)
            : try WAVWriter(path: path, sampleRate: sampleRate)
    }

    /// Appends the audio of a step. False if it cannot be written; `finish` then says why.
    @Sendable func write(_ news: SpeechProgress) -> Bool? {
        state.withLock { state in
            do throws(AudioFileError) {
                try state.writer?.step(news.audio.span)
                // Whoever reads a pipe gets the sound as it is made.
                if isPipe { try state.writer?.flush() }
                return true
            } catch {
                state.failure = error
                return false
            }
        }
    }

    /// Completes the file.
    func finish() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            guard let writer = state.writer.take() else { return }
            try writer.finish()
        }
    }
}

import Foundation
import Playback
import Syrinx

/// A source made slower: so many seconds of audio for every second.
struct ThrottledSource: SpeechSource {
    let source: any SpeechSource
    /// Times real time; nil for as fast as it goes.
    let speed: Double?

    var sampleRate: Int { source.sampleRate }

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader {
        let reader = try source.reader(of: input, options: options, wantsAll: wantsAll, cancellation: cancellation)
        guard let speed else { return reader }
        return Reader(reader: reader, secondsPerSample: 1 / (speed * Double(sampleRate)))
    }

    private final class Reader: SpeechReader {
        private let reader: any SpeechReader
        private let secondsPerSample: Double
        private let clock = SystemClock()

        init(reader: any SpeechReader, secondsPerSample: Double) {
            self.reader = reader
            self.secondsPerSample = secondsPerSample
        }

        func prepare() throws { try reader.prepare() }

        func next() throws -> SpeechPiece? {
            let start = clock.nanoseconds
            let piece = try reader.next()
            let spent = Double(clock.nanoseconds - start) / 1e9
            let due = Double(piece?.samples.count ?? 0) * secondsPerSample
            if due > spent { Thread.sleep(forTimeInterval: due - spent) }
            return piece
        }
    }
}

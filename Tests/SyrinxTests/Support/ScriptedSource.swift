import Foundation
import Synchronization

@testable import Syrinx

/// A source whose sound is known: sentences of steps of distinct samples, no two alike, none of them 0.
final class ScriptedSource: SpeechSource {
    struct Failure: Error, Equatable {}

    let sampleRate = 24_000
    let sentences: [[Int]]
    /// Called at the start of each step, with its number.
    let beforeStep: @Sendable (Int) throws -> Void
    /// Steps begun in all requests.
    let stepsBegun = Atomic<Int>(0)

    init(_ sentences: [[Int]], beforeStep: @escaping @Sendable (Int) throws -> Void = { _ in }) {
        self.sentences = sentences
        self.beforeStep = beforeStep
    }

    func reader(
        of input: SpeechInput, options: GenerationOptions, wantsAll: Bool, cancellation: SpeechCancellation
    ) throws -> any SpeechReader { ScriptedReader(self) }

    /// The samples of a sentence: different everywhere, between 0.25 and 0.75.
    func samples(of sentence: Int) -> [Float] {
        let before = sentences[..<sentence].reduce(0) { $0 + $1.reduce(0, +) }
        let count = sentences[sentence].reduce(0, +)
        return (before..<before + count).map { 0.25 + 0.5 * Float(($0 * 7919) % 65_521) / 65_521 }
    }

    private final class ScriptedReader: SpeechReader {
        private let source: ScriptedSource
        private var pieces: [SpeechPiece] = []
        private var position = 0

        init(_ source: ScriptedSource) {
            self.source = source
            for (index, steps) in source.sentences.enumerated() {
                let samples = source.samples(of: index)
                var start = 0
                for (number, step) in steps.enumerated() {
                    let ends = number == steps.count - 1
                    let mark = SpeechMark(
                        kind: .sentence, text: "\(index)", sentence: index, start: 0,
                        duration: Double(samples.count) / Double(source.sampleRate))
                    pieces.append(
                        SpeechPiece(
                            samples: Array(samples[start..<start + step]), sentence: index, endsInference: ends,
                            endsSentence: ends, isLast: ends && index == source.sentences.count - 1,
                            marks: number == 0 ? [mark] : [], recordingSamples: number == 0 ? samples.count : 0))
                    start += step
                }
            }
            var left = 0.0
            for index in pieces.indices.reversed() {
                pieces[index].remaining = left
                left += Double(pieces[index].samples.count) / Double(source.sampleRate)
            }
        }

        func next() throws -> SpeechPiece? {
            guard position < pieces.count else { return nil }
            let number = source.stepsBegun.add(1, ordering: .sequentiallyConsistent).oldValue
            try source.beforeStep(number)
            defer { position += 1 }
            return pieces[position]
        }
    }
}

import Tensor
import Testing

@testable import Syrinx

@Suite("The renderer")
struct RendererTests {
    private func renderer(_ sentences: [[Int]]) throws -> SpeechRenderer {
        try SpeechRenderer(
            voice: try TestVoices.tiny(), input: .ids(sentences), options: GenerationOptions(seed: 1),
            workers: WorkerPool(threads: 1))
    }

    @Test("The first piece is given before the next sentence's encoder runs, however short the first sentence")
    func firstPiece() throws {
        let short = [1, 0, 14, 0, 2]
        let long = [1, 0] + (0..<300).flatMap { [14 + $0 % 20, 0] } + [2]
        for first in [short, TestVoices.sentences[0], TestVoices.sentences[4]] {
            let renderer = try renderer([first, long])
            try renderer.prepare()
            let encoding = renderer.phases.encoding
            let piece = try #require(try renderer.next())
            #expect(!piece.samples.isEmpty)
            #expect(!piece.isLast)
            #expect(renderer.phases.encoding == encoding)
        }
    }

    @Test("No sentence's last piece waits for the encoder of the one after it; the last piece of all says so")
    func lastPieces() throws {
        let renderer = try renderer(TestVoices.sentences)
        try renderer.prepare()
        var ends = 0
        var isLast = false
        while let piece = try renderer.next() {
            #expect(!isLast)
            isLast = piece.isLast
            ends += piece.endsSentence ? 1 : 0
            #expect(piece.isLast == (ends == TestVoices.sentences.count))
            #expect(piece.isLast == (piece.remaining == 0))
        }
        #expect(ends == TestVoices.sentences.count && isLast)
    }
}

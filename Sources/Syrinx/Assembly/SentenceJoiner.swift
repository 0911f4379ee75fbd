import DSP

/// Puts sentences one after the other, with silence between them or laid over each other, and knows where
/// each of them begins.
struct SentenceJoiner: ~Copyable {
    private let sampleRate: Int
    private let silence: Double
    private var crossfader: Crossfader?
    /// Whether the next piece is the first of another sentence.
    private var isAtJoin = false
    /// Samples given out; with a crossfade, without those held back.
    private var given = 0
    private var sentence: SpeechMark?

    init(silence: Double, crossfade: Double?, sampleRate: Int) throws(DSPError) {
        self.sampleRate = sampleRate
        self.silence = silence
        let length = Int(((crossfade ?? 0) * Double(sampleRate)).rounded())
        crossfader = crossfade == nil ? nil : try Crossfader(length: length)
    }

    /// - Returns: the samples that are ready, and the piece's marks at their times in the whole.
    mutating func step(_ piece: SpeechPiece) -> (samples: [Float], marks: [SpeechMark]) {
        if isAtJoin { crossfader?.startNext() }
        let marks = place(piece)
        isAtJoin = piece.endsSentence && !piece.isLast

        let pause = piece.pause + (isAtJoin && crossfader == nil ? silence : 0)
        var samples = piece.samples
        samples += repeatElement(0, count: Int((pause * Double(sampleRate)).rounded()))
        let joined = crossfader?.step(samples) ?? samples
        given += joined.count
        return (joined, marks)
    }

    /// Samples given out and held back.
    var joinedSamples: Int {
        switch crossfader {
        case .some(let crossfader): given + crossfader.remainingOutput
        case nil: given
        }
    }

    mutating func finish() -> [Float] { crossfader?.finish() ?? [] }

    /// The piece's marks at their times in the whole. A sentence of several inferences gets longer with each, and
    /// its mark is then given again.
    private mutating func place(_ piece: SpeechPiece) -> [SpeechMark] {
        let count = joinedSamples
        let overlap =
            isAtJoin ? min(crossfader?.length ?? 0, count, max(piece.recordingSamples, piece.samples.count)) : 0
        let start = Double(count - overlap) / Double(sampleRate)
        var placed: [SpeechMark] = []
        for var mark in piece.marks {
            mark.start += start
            placed.append(mark)
        }
        if let own = placed.first(where: { $0.kind == .sentence }) {
            sentence = own
        } else if piece.recordingSamples > 0, var longer = sentence {
            longer.duration = start + Double(piece.recordingSamples) / Double(sampleRate) - longer.start
            sentence = longer
            placed.insert(longer, at: 0)
        }
        return placed
    }
}

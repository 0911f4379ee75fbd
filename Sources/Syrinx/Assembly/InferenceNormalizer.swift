/// Brings the peak of every inference to full scale, as Piper does: the pieces are held until the inference is
/// complete, and become one.
struct InferenceNormalizer {
    private var held: SpeechPiece?

    /// What Piper takes for silence, which is left as it is.
    private static let silence: Float = 1e-8

    /// Samples that are held.
    var heldSamples: Int { held?.samples.count ?? 0 }

    /// - Returns: the whole inference with its last piece, nil before.
    mutating func step(_ piece: SpeechPiece) -> SpeechPiece? {
        guard var whole = held else {
            held = piece
            return piece.endsInference || piece.isLast ? finish() : nil
        }
        // Taken out meanwhile, so that the samples are not copied.
        held = nil
        whole.samples += piece.samples
        whole.marks += piece.marks
        (whole.endsInference, whole.endsSentence) = (piece.endsInference, piece.endsSentence)
        (whole.isLast, whole.pause, whole.remaining) = (piece.isLast, piece.pause, piece.remaining)
        held = whole
        return piece.endsInference || piece.isLast ? finish() : nil
    }

    /// What was held, normalised; nil if nothing was.
    mutating func finish() -> SpeechPiece? {
        guard var whole = held else { return nil }
        held = nil
        let peak = whole.samples.reduce(0) { max($0, $1.magnitude) }
        guard peak >= Self.silence, peak.isFinite else { return whole }
        for index in whole.samples.indices { whole.samples[index] /= peak }
        return whole
    }
}

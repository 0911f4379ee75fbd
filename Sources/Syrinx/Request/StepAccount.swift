import Playback

/// Tells playback of a request's steps in terms of the audio that comes out of the assembler.
///
/// That is not what a step makes: an inference that is normalised comes out as a whole with its last step; crossfade,
/// pitch and the rest keep some back. So the time that steps took is passed on with the audio that they took it for,
/// and what is announced is what will come.
struct StepAccount {
    private let sourceRate: Int
    private let normalizes: Bool
    /// Seconds that went into audio which has not come out.
    private var unspent = 0.0
    /// Seconds of the current inference that are to be made, as far as known.
    private var inferenceLeft: Double?
    /// Seconds of the longest inference so far.
    private var longestInference: Double?

    init(sourceRate: Int, normalizes: Bool) {
        self.sourceRate = sourceRate
        self.normalizes = normalizes
    }

    /// - Parameters:
    ///   - piece: nil after the last.
    ///   - stepTime: seconds that the piece took.
    ///   - audio: seconds that came out with it.
    ///   - held: what has not come out now.
    mutating func record(
        _ piece: SpeechPiece?, stepTime: Double, audio: Double, held: SpeechAssembler.Held
    ) -> GenerationStep {
        let preparation = piece?.outlook.preparation ?? 0
        unspent += max(0, stepTime - preparation)
        guard let piece, !piece.isLast else {
            return GenerationStep(stepTime: unspent + preparation, remaining: 0, preparation: preparation)
        }
        let spent = audio > 0 ? unspent * audio / (audio + held.inference + held.delay) : 0
        unspent -= spent

        follow(piece)
        let outlook = piece.outlook
        var coming = normalizes ? wholes(piece, held.inference) : outlook.coming
        let remaining = piece.remaining + held.inference
        // What is late comes with the last piece, if that is among those announced.
        if !coming.isEmpty, coming.reduce(0, +) > remaining - 1e-6 { coming[coming.count - 1] += held.delay }
        return GenerationStep(
            stepTime: spent + preparation, remaining: remaining + held.delay, coming: coming,
            largestStep: normalizes ? longestInference : outlook.largestPiece, preparation: preparation,
            remainingPreparation: outlook.remainingPreparation)
    }

    private mutating func follow(_ piece: SpeechPiece) {
        if piece.recordingSamples > 0 {
            let length = seconds(piece.recordingSamples)
            inferenceLeft = length
            longestInference = max(longestInference ?? 0, length)
        }
        inferenceLeft = piece.endsInference ? nil : inferenceLeft.map { max(0, $0 - seconds(piece.samples.count)) }
    }

    /// Seconds of the inferences to come, as far as known.
    private func wholes(_ piece: SpeechPiece, _ held: Double) -> [Double] {
        let announced = piece.outlook.coming.reduce(0, +)
        if piece.endsInference { return announced > 0 ? [announced] : [] }
        // Where an inference ends that the source does not tell the length of, nobody knows: at the end, at worst.
        guard let inferenceLeft else { return [held + piece.remaining] }
        let next = announced - inferenceLeft
        return [held + inferenceLeft] + (next > 1e-6 ? [next] : [])
    }

    private func seconds(_ samples: Int) -> Double { Double(samples) / Double(sourceRate) }
}

import ONNX

extension VITSModel {
    init(_ checkpoint: Checkpoint, execution: Execution) throws {
        self.execution = execution
        file = checkpoint.model.file
        let encoder = try TextEncoder(checkpoint)
        textEncoder = encoder
        speakerEmbedding = try SpeakerEmbedding(checkpoint)
        let conditioning = speakerEmbedding?.channels
        durationPredictor = try DurationPredictor(
            checkpoint, hidden: encoder.hidden, conditioning: conditioning)
        couplings = try Coupling.all(checkpoint, latent: encoder.latent, conditioning: conditioning)
        decoder = try Decoder(checkpoint, latent: encoder.latent, conditioning: conditioning)
        // A stream is sized for its largest step.
        guard lookahead <= Self.largestLookahead,
            decoder.largestRow * largestStep <= Self.largestWindow
        else {
            throw VITSError.unsupported("layers that look \(lookahead) frames ahead")
        }
        // Reading the small tensors has mapped the pages around them: half of a file.
        file.discardPages()
    }

    /// Frames; full-size voices look some 45 ahead.
    private static let largestLookahead = 1024

    /// Numbers of a stream's largest signal in one step; a full-size voice has a million.
    private static let largestWindow = 1 << 23
}

extension VITSModel.SpeakerEmbedding {
    /// Nil where the graph takes no speaker, whatever the voice's configuration says.
    init?(_ checkpoint: Checkpoint) throws {
        guard
            checkpoint.model.inputs.contains(where: {
                $0.name == "sid" && checkpoint.tensor(named: "sid") == nil
            })
        else { return nil }
        let tensor = try checkpoint.table(of: "sid", orNamed: "emb_g.weight")
        table = try checkpoint.floats(of: tensor, shape: [-1, -1])
        speakers = tensor.dims[0]
        channels = tensor.dims[1]
    }
}

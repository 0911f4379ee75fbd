import ONNX
import Tensor

extension TextEncoder {
    init(_ checkpoint: Checkpoint) throws {
        guard let input = checkpoint.model.inputs.first(where: { checkpoint.tensor(named: $0.name) == nil })
        else {
            throw VITSError.missing("input for phoneme ids")
        }
        // Old exporters call the table by other names, even "sid": it is what the ids look up.
        let table = try checkpoint.table(of: input.name, orNamed: "enc_p.emb.weight")
        var weights = try checkpoint.floats(of: table, shape: [-1, -1])
        symbols = table.dims[0]
        hidden = table.dims[1]
        let scale = Float(hidden).squareRoot()
        for index in weights.indices { weights[index] *= scale }
        embedding = weights
        let hidden = self.hidden
        let indices = checkpoint.indices("enc_p.encoder.attn_layers", "conv_q")
        try checkpoint.requireGapless(indices, "enc_p.encoder.attn_layers")
        layers = try indices.map { try Layer(checkpoint, index: $0, hidden: hidden) }
        projection = try checkpoint.convolution("enc_p.proj", inputs: hidden, kernel: 1)
        guard projection.outputChannels % 2 == 0 else {
            throw VITSError.unsupported("an odd number of channels in layer enc_p.proj")
        }
    }
}

extension TextEncoder.Layer {
    init(_ checkpoint: Checkpoint, index: Int, hidden: Int) throws {
        let prefix = "enc_p.encoder.attn_layers.\(index)"
        let keyTable = try checkpoint.named("\(prefix).emb_rel_k")
        let relativeKey = try checkpoint.floats(of: keyTable, shape: [-1, -1, -1])
        let relativeValue = try checkpoint.floats("\(prefix).emb_rel_v", shape: keyTable.dims)
        let (tables, places, headChannels) = (keyTable.dims[0], keyTable.dims[1], keyTable.dims[2])
        guard hidden % headChannels == 0, places % 2 == 1, tables == 1 || tables == hidden / headChannels
        else {
            throw VITSError.shape(
                tensor: keyTable.name, expected: [1, -1, hidden / max(1, hidden / headChannels)],
                actual: keyTable.dims)
        }
        attention = RelativeAttention(
            heads: hidden / headChannels, headChannels: headChannels, window: places / 2,
            relativeKey: relativeKey, relativeValue: relativeValue)
        func projection(_ name: String, scale: Float = 1) throws -> Convolution {
            try checkpoint.convolution(
                "\(prefix).\(name)", inputs: hidden, outputs: hidden, kernel: 1,
                layout: .init(resultScale: scale))
        }
        query = try projection("conv_q", scale: 1 / Float(headChannels).squareRoot())
        key = try projection("conv_k")
        value = try projection("conv_v")
        output = try checkpoint.convolution("\(prefix).conv_o", inputs: hidden, outputs: hidden, kernel: 1)
        attentionNorm = try checkpoint.layerNorm("enc_p.encoder.norm_layers_1.\(index)", channels: hidden)
        expand = try checkpoint.convolution(
            "enc_p.encoder.ffn_layers.\(index).conv_1", inputs: hidden, hasPadNode: true)
        contract = try checkpoint.convolution(
            "enc_p.encoder.ffn_layers.\(index).conv_2", inputs: expand.outputChannels, outputs: hidden,
            hasPadNode: true)
        feedForwardNorm = try checkpoint.layerNorm("enc_p.encoder.norm_layers_2.\(index)", channels: hidden)
    }
}

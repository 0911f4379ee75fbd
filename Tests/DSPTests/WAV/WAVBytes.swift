/// Builds WAV files by hand, right or wrong.
struct WAVBytes {
    var form = "RIFF"
    /// What RIFF claims; `nil` for the true size.
    var riffSize: UInt32?
    private(set) var chunks: [UInt8] = []

    init(form: String = "RIFF", riffSize: UInt32? = nil) {
        self.form = form
        self.riffSize = riffSize
    }

    /// Adds a chunk with the given size, or the true one, padded to an even length.
    func chunk(_ id: String, _ body: [UInt8], size: UInt32? = nil, padding: [UInt8] = [0]) -> Self {
        var copy = self
        copy.chunks += Array(id.utf8) + le(size ?? UInt32(body.count)) + body
        if !body.count.isMultiple(of: 2) { copy.chunks += padding }
        return copy
    }

    func format(
        tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 8_000, bits: UInt16 = 16, align: UInt16? = nil,
        extra: [UInt8] = []
    ) -> Self {
        let align = align ?? channels &* ((bits + 7) / 8)
        return chunk(
            "fmt ",
            le(tag) + le(channels) + le(rate) + le(rate &* UInt32(align)) + le(align) + le(bits) + extra)
    }

    func data(_ body: [UInt8], size: UInt32? = nil, padding: [UInt8] = [0]) -> Self {
        chunk("data", body, size: size, padding: padding)
    }

    var bytes: [UInt8] {
        Array(form.utf8) + le(riffSize ?? UInt32(chunks.count + 4)) + Array("WAVE".utf8) + chunks
    }
}

func le<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
}

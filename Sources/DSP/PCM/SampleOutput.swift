/// Encodes samples and gathers their bytes for an output.
struct SampleOutput: ~Copyable {
    private(set) var file: OutputFile
    private var encoder: SampleEncoder
    private var pending: [UInt8]
    private var pendingCount: Int

    /// - Parameter prefix: bytes to go before the samples.
    init(_ file: consuming OutputFile, _ encoder: SampleEncoder, prefix: [UInt8] = []) {
        self.file = file
        self.encoder = encoder
        pending = prefix + [UInt8](repeating: 0, count: 1 << 16)
        pendingCount = prefix.count
    }

    /// Appends samples; writes when 64 KiB have come together. Does not allocate.
    mutating func append(_ samples: Span<Float>) throws(AudioFileError) {
        let size = encoder.encoding.bytesPerSample
        var start = 0
        while start < samples.count {
            if pending.count - pendingCount < size { try flush() }
            let count = min(samples.count - start, (pending.count - pendingCount) / size)
            encode(samples.extracting(start..<(start + count)))
            start += count
        }
    }

    mutating func append(byte: UInt8) throws(AudioFileError) {
        if pendingCount == pending.count { try flush() }
        pending[pendingCount] = byte
        pendingCount += 1
    }

    /// Hands everything to the operating system.
    mutating func flush() throws(AudioFileError) {
        guard pendingCount > 0 else { return }
        try file.write(pending.span.extracting(..<pendingCount))
        pendingCount = 0
    }

    /// Replaces the first bytes of the output, all of which must have been flushed.
    mutating func overwrite(with bytes: [UInt8]) throws(AudioFileError) {
        try file.overwrite(at: 0, bytes)
    }

    consuming func finish() throws(AudioFileError) {
        try flush()
        try file.commit()
    }

    private mutating func encode(_ samples: Span<Float>) {
        // Taken out and put back: the span of `pending` claims all of `self`.
        let offset = pendingCount
        var encoder = encoder
        var room = pending.mutableSpan
        var bytes = room.mutableBytes
        let count = encoder.step(samples, into: &bytes, at: offset)
        self.encoder = encoder
        pendingCount = offset + count
    }
}

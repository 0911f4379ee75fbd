/// Turns headerless samples into floats as their bytes come; a sample may be split over any number of chunks.
///
///     var decoder = PCMDecoder(.signed16)
///     for chunk in chunks { decoder.step(chunk.span, appendingTo: &samples) }
///     let lostBytes = decoder.finish()
///
/// Full scale is ±1. In float encodings NaN becomes 0 and infinities become ±1.
public struct PCMDecoder: Sendable {
    private let decoder: SampleDecoder
    /// The bytes of a sample of which the rest has not come.
    private var carried: [UInt8]
    private var carriedCount = 0

    /// A decoder at the start of a stream.
    public init(_ encoding: SampleEncoding, byteOrder: ByteOrder = .littleEndian) {
        decoder = SampleDecoder(encoding, byteOrder: byteOrder)
        carried = [UInt8](repeating: 0, count: encoding.bytesPerSample)
    }

    /// Of the bytes.
    public var encoding: SampleEncoding { decoder.encoding }

    /// How many samples the next step gives for `byteCount` bytes, exactly.
    public func maximumOutput(for byteCount: Int) -> Int { (carriedCount + byteCount) / carried.count }

    /// Decodes a chunk into `samples` from `offset` on, where there must be room for ``maximumOutput(for:)``
    /// samples. Does not allocate.
    ///
    /// - Returns: the number of samples.
    public mutating func step(
        _ bytes: Span<UInt8>, into samples: inout MutableSpan<Float>, at offset: Int = 0
    ) -> Int {
        let size = carried.count
        let total = maximumOutput(for: bytes.count)
        precondition(
            samples.count - offset >= total, "\(total) samples do not fit after \(offset) of \(samples.count)"
        )
        var start = 0
        var produced = 0
        if carriedCount > 0 {
            while carriedCount < size, start < bytes.count {
                carry(bytes[start])
                start += 1
            }
            guard carriedCount == size else { return 0 }
            decoder.decode(carried.span.bytes, into: &samples, at: offset)
            carriedCount = 0
            produced = 1
        }
        let whole = (bytes.count - start) / size * size
        decoder.decode(bytes.extracting(start..<(start + whole)).bytes, into: &samples, at: offset + produced)
        produced += whole / size
        for i in (start + whole)..<bytes.count { carry(bytes[i]) }
        return produced
    }

    /// Decodes a chunk and appends its samples.
    public mutating func step(_ bytes: Span<UInt8>, appendingTo samples: inout [Float]) {
        let start = samples.count
        samples.append(contentsOf: repeatElement(0, count: maximumOutput(for: bytes.count)))
        var room = samples.mutableSpan
        _ = step(bytes, into: &room, at: start)
    }

    /// Ends the stream and is ready for another.
    ///
    /// - Returns: how many bytes of an incomplete last sample were dropped; 0 if the stream was whole.
    public mutating func finish() -> Int {
        defer { reset() }
        return carriedCount
    }

    /// Forgets the bytes of an incomplete sample.
    public mutating func reset() { carriedCount = 0 }

    private mutating func carry(_ byte: UInt8) {
        carried[carriedCount] = byte
        carriedCount += 1
    }
}

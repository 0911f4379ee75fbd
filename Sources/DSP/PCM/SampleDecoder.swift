/// Turns the bytes of an encoding into float samples.
///
/// The inverse of ``SampleEncoder``: full scale is ±1. In float encodings NaN becomes 0 and infinities become ±1
/// (also those that a `Double` beyond the range of `Float` makes), so that nothing downstream is poisoned.
struct SampleDecoder: Sendable {
    let encoding: SampleEncoding
    let byteOrder: ByteOrder

    init(_ encoding: SampleEncoding, byteOrder: ByteOrder = .littleEndian) {
        self.encoding = encoding
        self.byteOrder = byteOrder
    }

    /// Decodes as many samples as `bytes` holds to `samples` from `offset` on, where there must be room.
    ///
    /// Does not allocate. `bytes` must hold whole samples.
    func decode(_ bytes: RawSpan, into samples: inout MutableSpan<Float>, at offset: Int) {
        let size = encoding.bytesPerSample
        let count = bytes.byteCount / size
        precondition(
            count <= samples.count - offset, "\(count) samples do not fit after \(offset) of \(samples.count)"
        )
        bytes.withUnsafeBytes { source in
            samples.withUnsafeMutableBufferPointer { buffer in
                guard let base = source.baseAddress, let start = buffer.baseAddress else { return }
                // SAFETY: the precondition keeps the writes within the buffer, `count` the reads in `bytes`.
                decode(base, count: count, to: start + offset)
            }
        }
    }

    private func decode(_ base: UnsafeRawPointer, count: Int, to target: UnsafeMutablePointer<Float>) {
        let isLittle = byteOrder == .littleEndian
        switch encoding {
        case .unsigned8:
            for i in 0..<count {
                target[i] = Float(Int32(base.load(fromByteOffset: i, as: UInt8.self)) &- 128) * 0x1p-7
            }
        case .signed16:
            if isLittle {
                for i in 0..<count {
                    let bits = UInt16(
                        littleEndian: base.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self))
                    target[i] = Float(Int16(bitPattern: bits)) * 0x1p-15
                }
            } else {
                for i in 0..<count {
                    let bits = UInt16(bigEndian: base.loadUnaligned(fromByteOffset: i &* 2, as: UInt16.self))
                    target[i] = Float(Int16(bitPattern: bits)) * 0x1p-15
                }
            }
        case .signed24:
            let (low, high) = isLittle ? (0, 2) : (2, 0)
            for i in 0..<count {
                let first = UInt32(base.load(fromByteOffset: i &* 3 &+ low, as: UInt8.self))
                let second = UInt32(base.load(fromByteOffset: i &* 3 &+ 1, as: UInt8.self))
                let third = UInt32(base.load(fromByteOffset: i &* 3 &+ high, as: UInt8.self))
                let value = Int32(bitPattern: first << 8 | second << 16 | third << 24) >> 8
                target[i] = Float(value) * 0x1p-23
            }
        case .signed32:
            for i in 0..<count {
                target[i] = Float(Int32(bitPattern: word(base, i, isLittle))) * 0x1p-31
            }
        case .float32:
            for i in 0..<count {
                target[i] = finite(Float(bitPattern: word(base, i, isLittle)))
            }
        case .float64:
            for i in 0..<count {
                let bits = base.loadUnaligned(fromByteOffset: i &* 8, as: UInt64.self)
                let value = Double(
                    bitPattern: isLittle ? UInt64(littleEndian: bits) : UInt64(bigEndian: bits))
                target[i] = finite(Float(value))
            }
        case .aLaw:
            for i in 0..<count {
                target[i] = Float(G711.aLawValue(base.load(fromByteOffset: i, as: UInt8.self))) * 0x1p-15
            }
        case .muLaw:
            for i in 0..<count {
                target[i] = Float(G711.muLawValue(base.load(fromByteOffset: i, as: UInt8.self))) * 0x1p-15
            }
        }
    }

    @inline(__always)
    private func word(_ base: UnsafeRawPointer, _ index: Int, _ isLittle: Bool) -> UInt32 {
        let bits = base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        return isLittle ? UInt32(littleEndian: bits) : UInt32(bigEndian: bits)
    }
}

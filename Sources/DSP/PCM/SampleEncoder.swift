/// Turns float samples into the bytes of an encoding, with any chunking.
///
/// Integers: scaled by 2^(b−1), rounded to the nearest (ties to even), and held within the range, so +1 becomes
/// the largest integer. Floats: stored as they are, beyond ±1 too. NaN becomes 0 and infinities become ±1 in
/// every encoding.
public struct SampleEncoder: Sendable {
    /// What a sample becomes.
    public let encoding: SampleEncoding
    /// Of samples of more than one byte.
    public let byteOrder: ByteOrder
    private var dither: Dither?

    /// - Parameter ditherSeed: adds triangular dither before rounding to 8, 16 or 24 bits; the same seed gives
    ///   the same bytes. `nil` rounds plainly. Other encodings are never dithered.
    public init(_ encoding: SampleEncoding, byteOrder: ByteOrder = .littleEndian, ditherSeed: UInt64? = nil) {
        self.encoding = encoding
        self.byteOrder = byteOrder
        switch encoding {
        case .unsigned8, .signed16, .signed24: dither = ditherSeed.map { Dither(seed: $0) }
        default: dither = nil
        }
    }

    /// Writes the bytes of `samples` to `bytes` from `offset` on, where there must be room for all of them.
    ///
    /// Does not allocate.
    /// - Returns: the number of bytes: `samples.count * encoding.bytesPerSample`.
    @discardableResult
    public mutating func step(_ samples: Span<Float>, into bytes: inout MutableRawSpan, at offset: Int = 0)
        -> Int
    {
        let size = encoding.bytesPerSample
        let count = samples.count * size
        precondition(
            offset >= 0 && bytes.byteCount - offset >= count,
            "\(samples.count) samples need \(count) bytes after \(offset), of \(bytes.byteCount)")
        let swaps = size > 1 && byteOrder == .bigEndian
        // SAFETY: `encode` writes samples.count values of `size` bytes, which the precondition made room for.
        bytes.withUnsafeMutableBytes { buffer in
            guard let base = buffer.baseAddress.map({ $0 + offset }), !samples.isEmpty else { return }
            encode(samples, to: base)
            if swaps { swapBytes(base, count: count, size: size) }
        }
        return count
    }

    private mutating func encode(_ samples: Span<Float>, to base: UnsafeMutableRawPointer) {
        switch encoding {
        case .unsigned8:
            quantise(samples, scale: 0x1p7) { i, value in
                base.storeBytes(of: UInt8(truncatingIfNeeded: value &+ 128), toByteOffset: i, as: UInt8.self)
            }
        case .signed16:
            quantise(samples, scale: 0x1p15) { i, value in
                let bits = UInt16(truncatingIfNeeded: value).littleEndian
                base.storeBytes(of: bits, toByteOffset: i &* 2, as: UInt16.self)
            }
        case .signed24:
            quantise(samples, scale: 0x1p23) { i, value in
                let bits = UInt32(bitPattern: value)
                base.storeBytes(
                    of: UInt16(truncatingIfNeeded: bits).littleEndian, toByteOffset: i &* 3, as: UInt16.self)
                base.storeBytes(
                    of: UInt8(truncatingIfNeeded: bits >> 16), toByteOffset: i &* 3 &+ 2, as: UInt8.self)
            }
        case .signed32:
            for i in samples.indices {
                let value = rounded(Double(finite(samples[i])) * 0x1p31, limit: 0x1p31)
                base.storeBytes(of: value.littleEndian, toByteOffset: i &* 4, as: Int32.self)
            }
        case .float32:
            for i in samples.indices {
                let bits = finite(samples[i]).bitPattern.littleEndian
                base.storeBytes(of: bits, toByteOffset: i &* 4, as: UInt32.self)
            }
        case .float64:
            for i in samples.indices {
                let bits = Double(finite(samples[i])).bitPattern.littleEndian
                base.storeBytes(of: bits, toByteOffset: i &* 8, as: UInt64.self)
            }
        case .aLaw:
            quantise(samples, scale: 0x1p15) { i, value in
                base.storeBytes(of: G711.aLaw(value), toByteOffset: i, as: UInt8.self)
            }
        case .muLaw:
            quantise(samples, scale: 0x1p15) { i, value in
                base.storeBytes(of: G711.muLaw(value), toByteOffset: i, as: UInt8.self)
            }
        }
    }

    /// Calls `store` with the index and the integer of every sample.
    @inline(__always)
    private mutating func quantise(_ samples: Span<Float>, scale: Double, store: (Int, Int32) -> Void) {
        guard var noise = dither else {
            for i in samples.indices {
                store(i, rounded(Double(finite(samples[i])) * scale, limit: scale))
            }
            return
        }
        for i in samples.indices {
            store(i, rounded(Double(finite(samples[i])) * scale + Double(noise.next()), limit: scale))
        }
        dither = noise
    }
}

/// 0 for NaN and ±1 for infinities.
@inline(__always)
func finite(_ sample: Float) -> Float {
    let bounded = sample.magnitude == .infinity ? (sample < 0 ? -1 : 1) : sample
    return bounded == bounded ? bounded : 0
}

/// `value` rounded to the nearest integer, ties to even, within −`limit` … `limit` − 1; `limit` is at most 2³¹.
///
/// Adding 1.5·2⁵² leaves the integer in the low bits of the sum: unlike a conversion, which must check its
/// range, this vectorises.
@inline(__always)
private func rounded(_ value: Double, limit: Double) -> Int32 {
    let held = min(max(value, -limit), limit - 1)
    return Int32(truncatingIfNeeded: (held + 0x1.8p52).bitPattern)
}

/// Reverses the bytes of every value of `size` bytes.
private func swapBytes(_ base: UnsafeMutableRawPointer, count: Int, size: Int) {
    let bytes = base.assumingMemoryBound(to: UInt8.self)
    for start in stride(from: 0, to: count, by: size) {
        for i in 0..<(size / 2) {
            let other = start + size - 1 - i
            (bytes[start + i], bytes[other]) = (bytes[other], bytes[start + i])
        }
    }
}

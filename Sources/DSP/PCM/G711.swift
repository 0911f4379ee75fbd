/// ITU-T G.711: 8-bit logarithmic companding, on samples scaled to 16 bits.
enum G711 {
    // MARK: To 16 bits

    /// The 16-bit value of a µ-law byte, within ±32124.
    static func muLawValue(_ byte: UInt8) -> Int32 {
        let code = Int32(~byte)
        let segment = (code >> 4) & 7
        let magnitude = (((code & 15) << 3) + 0x84) << segment - 0x84
        return code & 0x80 != 0 ? -magnitude : magnitude
    }

    /// The 16-bit value of an A-law byte, within ±32256.
    static func aLawValue(_ byte: UInt8) -> Int32 {
        let code = Int32(byte ^ 0x55)
        let segment = (code >> 4) & 7
        let step = ((code & 15) << 4) + 8
        let magnitude = segment == 0 ? step : (step + 0x100) << (segment - 1)
        return code & 0x80 != 0 ? magnitude : -magnitude
    }

    // MARK: From 16 bits

    /// The byte whose value is the nearest; `sample` is within 16 bits.
    static func muLaw(_ sample: Int32) -> UInt8 {
        let sign: Int32 = sample < 0 ? 0x80 : 0
        let biased = min(abs(sample), 32_635) + 0x84
        let segment = 24 - Int32(biased.leadingZeroBitCount)
        return ~UInt8(truncatingIfNeeded: sign | segment << 4 | (biased >> (segment + 3)) & 15)
    }

    /// The byte of the interval that holds `sample`, which is within 16 bits.
    static func aLaw(_ sample: Int32) -> UInt8 {
        let sign: Int32 = sample < 0 ? 0 : 0x80
        // G.711 splits at 0 between +0 and −0: the magnitude of −1 is 0.
        let magnitude = sample < 0 ? ~sample : sample
        let segment = max(0, 24 - Int32(magnitude.leadingZeroBitCount))
        let mantissa = segment < 2 ? magnitude >> 4 & 31 : magnitude >> (segment + 3) & 15 | segment << 4
        return UInt8(truncatingIfNeeded: sign | mantissa) ^ 0x55
    }
}

/// Encodes bytes as Base64 (RFC 4648, with padding and without line breaks) as they come.
public struct Base64Encoder: Sendable {
    private var bits: UInt32 = 0
    private var count = 0

    /// An encoder at the start of a text.
    public init() {}

    /// Encodes a piece and appends its text; up to two bytes wait for the next piece.
    public mutating func step(_ bytes: Span<UInt8>, appendingTo text: inout [UInt8]) {
        for i in bytes.indices {
            bits = bits << 8 | UInt32(bytes[i])
            count += 1
            if count == 3 {
                for shift in [18, 12, 6, 0] as [UInt32] { text.append(Self.digit(bits >> shift)) }
                (bits, count) = (0, 0)
            }
        }
    }

    /// Appends what is left, padded, and is ready for another stream.
    public mutating func finish(appendingTo text: inout [UInt8]) {
        defer { reset() }
        guard count > 0 else { return }
        let aligned = bits << UInt32(8 * (3 - count))
        text.append(Self.digit(aligned >> 18))
        text.append(Self.digit(aligned >> 12))
        text.append(count == 2 ? Self.digit(aligned >> 6) : UInt8(ascii: "="))
        text.append(UInt8(ascii: "="))
    }

    /// Forgets the bytes that wait.
    public mutating func reset() { self = Self() }

    private static func digit(_ value: UInt32) -> UInt8 {
        switch UInt8(truncatingIfNeeded: value & 63) {
        case let v where v < 26: v + UInt8(ascii: "A")
        case let v where v < 52: v - 26 + UInt8(ascii: "a")
        case let v where v < 62: v - 52 + UInt8(ascii: "0")
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}

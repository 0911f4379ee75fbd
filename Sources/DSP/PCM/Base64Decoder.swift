/// Decodes Base64 (RFC 4648) as its text comes, split anywhere.
///
/// Both alphabets are accepted (`+/` and `-_`), white space anywhere, and a missing padding at the end. Any other
/// byte, or data after the padding, is an error that says where.
public struct Base64Decoder: Sendable {
    private var bits: UInt32 = 0
    private var digits = 0
    private var padding = 0
    /// Bytes of text before the current step.
    private var offset = 0

    /// A decoder at the start of a text.
    public init() {}

    /// The most bytes that `textCount` bytes of text can give.
    public func maximumOutput(for textCount: Int) -> Int { (digits + textCount) / 4 * 3 + 2 }

    /// Decodes a piece of text into `bytes` from `start` on, where there must be room for ``maximumOutput(for:)``.
    /// Does not allocate.
    ///
    /// - Returns: the number of bytes.
    /// - Throws: ``AudioFileError/notBase64(byte:offset:)``; the text is then to be given up, or `reset`.
    public mutating func step(
        _ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>, at start: Int = 0
    ) throws(AudioFileError) -> Int {
        let room = maximumOutput(for: text.count)
        precondition(
            bytes.count - start >= room,
            "\(text.count) bytes of Base64 need \(room) bytes after \(start), of \(bytes.count)")
        var count = start
        for i in text.indices {
            let byte = text[i]
            let digit = Self.digit(byte)
            if digit < 64, padding == 0 {
                bits = bits << 6 | UInt32(digit)
                digits += 1
                if digits == 4 {
                    bytes[count] = UInt8(truncatingIfNeeded: bits >> 16)
                    bytes[count + 1] = UInt8(truncatingIfNeeded: bits >> 8)
                    bytes[count + 2] = UInt8(truncatingIfNeeded: bits)
                    count += 3
                    (bits, digits) = (0, 0)
                }
            } else if byte == UInt8(ascii: "="), digits + padding < 4, digits >= 2 {
                padding += 1
                if digits + padding == 4 { count = flush(into: &bytes, at: count) }
            } else if ![0x20, 0x09, 0x0a, 0x0d].contains(byte) {
                throw .notBase64(byte: byte, offset: offset + i)
            }
        }
        offset += text.count
        return count - start
    }

    /// Ends the text and is ready for another.
    ///
    /// - Returns: the last bytes, 0 to 2, where the padding is missing.
    /// - Throws: ``AudioFileError/truncatedBase64(offset:)``.
    public mutating func finish() throws(AudioFileError) -> [UInt8] {
        defer { reset() }
        guard digits != 1, padding == 0 || digits == 0 else { throw .truncatedBase64(offset: offset) }
        var last: [UInt8] = [0, 0]
        var span = last.mutableSpan
        let count = flush(into: &span, at: 0)
        return Array(last[..<count])
    }

    /// Ends the text where it is damaged, and is ready for another.
    ///
    /// - Returns: the bytes, 0 to 2, that the digits of the incomplete group are enough for.
    mutating func abandon() -> [UInt8] {
        defer { reset() }
        var last: [UInt8] = [0, 0]
        var span = last.mutableSpan
        let count = flush(into: &span, at: 0)
        return Array(last[..<count])
    }

    /// Forgets the text so far.
    public mutating func reset() { self = Self() }

    /// Decodes a whole text.
    ///
    /// - Throws: ``AudioFileError/notBase64(byte:offset:)``, ``AudioFileError/truncatedBase64(offset:)``.
    public static func decode(_ text: some Collection<UInt8>) throws(AudioFileError) -> [UInt8] {
        var decoder = Base64Decoder()
        let text = Array(text)
        var bytes = [UInt8](repeating: 0, count: decoder.maximumOutput(for: text.count))
        var span = bytes.mutableSpan
        let count = try decoder.step(text.span, into: &span)
        return try bytes[..<count] + decoder.finish()
    }

    /// The bytes of an incomplete group: two digits make one, three make two.
    private mutating func flush(into bytes: inout MutableSpan<UInt8>, at start: Int) -> Int {
        guard digits >= 2 else { return start }
        let aligned = bits << UInt32(6 * (4 - digits))
        bytes[start] = UInt8(truncatingIfNeeded: aligned >> 16)
        if digits == 3 { bytes[start + 1] = UInt8(truncatingIfNeeded: aligned >> 8) }
        let count = start + digits - 1
        (bits, digits) = (0, 0)
        // From here on only white space may come: padding stays above 0.
        return count
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: 255
        }
    }
}

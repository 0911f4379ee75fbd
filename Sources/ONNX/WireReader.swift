/// A flaw found while reading, before the name of the file is known: `ONNXModel` turns it into an `ONNXError`.
struct Fault: Error {
    /// Bytes from the start of the file; nil for a flaw of the graph, which is in no one place.
    let offset: Int?
    let reason: ONNXError.Reason
    /// From the inside out.
    private(set) var path: [String] = []

    init(at offset: Int?, _ reason: ONNXError.Reason) {
        self.offset = offset
        self.reason = reason
    }

    /// The same fault, told to be inside something.
    func within(_ part: String) -> Fault {
        var fault = self
        fault.path.append(part)
        return fault
    }

    func error(file: String) -> ONNXError {
        let path = path.isEmpty ? "model" : path.reversed().joined(separator: ", ")
        return .refused(.init(file: file, path: path, offset: offset), reason)
    }
}

/// The number of a field and how its value is written.
struct WireTag {
    enum Kind: Int {
        case varint = 0
        case fixed64, lengthDelimited, groupStart, groupEnd, fixed32
    }

    let field: Int
    let kind: Kind
    /// Where the tag begins, for errors.
    let offset: Int
}

/// Reads one protobuf message out of the bytes of a file, without copying.
///
/// Source: protobuf.dev, "Encoding". Every read is checked against the end of the message. A field that
/// ONNX knows with another wire type than ONNX gives it is refused; unknown fields and groups are skipped.
struct WireReader {
    /// Unknown groups may nest; this bounds the loop's counter, not a recursion.
    static let groupDepthLimit = 64

    /// The start of the file; `position` and `end` count from it.
    // SAFETY: the parser keeps the owner of the bytes alive, and `end` never exceeds its count.
    private let base: UnsafeRawPointer
    private(set) var position: Int
    let end: Int

    init(_ bytes: ModelBytes, _ range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        base = bytes.base
        position = range.lowerBound
        end = range.upperBound
    }

    private init(base: UnsafeRawPointer, range: Range<Int>) {
        self.base = base
        position = range.lowerBound
        end = range.upperBound
    }

    /// The next field's tag, nil at the end of the message.
    mutating func nextTag() throws(Fault) -> WireTag? {
        guard position < end else { return nil }
        let offset = position
        let key = try varint()
        let field = key >> 3
        guard let kind = WireTag.Kind(rawValue: Int(key & 7)), field > 0, field < 1 << 29 else {
            throw Fault(at: offset, .invalidTag)
        }
        return WireTag(field: Int(field), kind: kind, offset: offset)
    }

    /// Nearly all are one byte: tags, and lengths of names.
    @inline(__always)
    mutating func varint() throws(Fault) -> UInt64 {
        if position < end {
            let byte = base.load(fromByteOffset: position, as: UInt8.self)
            if byte < 0x80 {
                position += 1
                return UInt64(byte)
            }
        }
        return try longVarint()
    }

    @inline(never)
    private mutating func longVarint() throws(Fault) -> UInt64 {
        let offset = position
        var value: UInt64 = 0
        var shift: UInt64 = 0
        var byte: UInt8
        repeat {
            guard position < end else {
                let needed = UInt64(position - offset + 1)
                throw Fault(at: offset, .truncated(needed: needed, available: end - offset))
            }
            byte = base.load(fromByteOffset: position, as: UInt8.self)
            position += 1
            // The tenth byte has room for one bit.
            guard shift < 63 || byte <= 1 else { throw Fault(at: offset, .overlongVarint) }
            value |= UInt64(byte & 0x7F) << shift
            shift += 7
        } while byte >= 0x80
        return value
    }

    /// The value of a singular integer field. ONNX has no zigzag fields.
    mutating func int(_ tag: WireTag) throws(Fault) -> Int64 {
        try expect(.varint, tag)
        return Int64(bitPattern: try varint())
    }

    mutating func float(_ tag: WireTag) throws(Fault) -> Float {
        try expect(.fixed32, tag)
        return Float(bitPattern: UInt32(littleEndian: try load(UInt32.self)))
    }

    /// The range of a bytes, string or message field in the file.
    mutating func range(_ tag: WireTag) throws(Fault) -> Range<Int> {
        try expect(.lengthDelimited, tag)
        let length = try varint()
        guard length <= UInt64(end - position) else {
            throw Fault(at: tag.offset, .truncated(needed: length, available: end - position))
        }
        let start = position
        position += Int(length)
        return start..<position
    }

    mutating func message(_ tag: WireTag) throws(Fault) -> WireReader {
        WireReader(base: base, range: try range(tag))
    }

    mutating func string(_ tag: WireTag) throws(Fault) -> String {
        let text = try text(tag)
        return String(decoding: UnsafeRawBufferPointer(start: base + text.lowerBound, count: text.count), as: UTF8.self)
    }

    /// The range of a string field, which is found to be UTF-8.
    mutating func text(_ tag: WireTag) throws(Fault) -> Range<Int> {
        let range = try range(tag)
        try checkUTF8(range)
        return range
    }

    func checkUTF8(_ range: Range<Int>) throws(Fault) {
        let bytes = UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
        // Nearly all names are ASCII, of which any sequence is valid.
        var bits: UInt8 = 0
        for byte in bytes { bits |= byte }
        guard bits >= 0x80 else { return }
        let text = bytes.withMemoryRebound(to: UInt8.self) { String(validating: $0, as: UTF8.self) }
        guard text != nil else { throw Fault(at: range.lowerBound, .invalidUTF8) }
    }

    /// The values of one occurrence of a repeated integer field, packed or not.
    mutating func eachInt(
        _ tag: WireTag, _ body: (Int64) throws(Fault) -> Void
    ) throws(Fault) {
        guard tag.kind == .lengthDelimited else { return try body(try int(tag)) }
        var packed = try message(tag)
        while packed.position < packed.end { try body(Int64(bitPattern: try packed.varint())) }
    }

    /// The bytes of one occurrence of a repeated field of fixed-size numbers, packed or not.
    mutating func fixedRange(_ tag: WireTag, size: Int) throws(Fault) -> Range<Int> {
        if tag.kind == .lengthDelimited {
            let range = try range(tag)
            guard range.count % size == 0 else {
                throw Fault(at: tag.offset, .unevenPackedLength(length: range.count, elementSize: size))
            }
            return range
        }
        try expect(size == 4 ? .fixed32 : .fixed64, tag)
        try advance(size)
        return position - size..<position
    }

    /// Passes over the value of a field, with its nested groups when it is one.
    mutating func skip(_ tag: WireTag) throws(Fault) {
        var open: [Int] = []
        var tag = tag
        while true {
            switch tag.kind {
            case .varint: _ = try varint()
            case .fixed64: try advance(8)
            case .fixed32: try advance(4)
            case .lengthDelimited: _ = try range(tag)
            case .groupStart:
                guard open.count < Self.groupDepthLimit else {
                    throw Fault(at: tag.offset, .tooDeep(limit: Self.groupDepthLimit))
                }
                open.append(tag.field)
            case .groupEnd:
                guard open.popLast() == tag.field else { throw Fault(at: tag.offset, .invalidTag) }
            }
            guard !open.isEmpty else { return }
            guard let next = try nextTag() else {
                throw Fault(at: end, .truncated(needed: 1, available: 0))
            }
            tag = next
        }
    }

    private func expect(_ kind: WireTag.Kind, _ tag: WireTag) throws(Fault) {
        guard tag.kind == kind else {
            throw Fault(at: tag.offset, .wrongWireType(field: tag.field, found: tag.kind.rawValue))
        }
    }

    private mutating func advance(_ count: Int) throws(Fault) {
        guard end - position >= count else {
            throw Fault(at: position, .truncated(needed: UInt64(count), available: end - position))
        }
        position += count
    }

    private mutating func load<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(Fault) -> Value {
        let start = position
        try advance(MemoryLayout<Value>.size)
        return base.loadUnaligned(fromByteOffset: start, as: type)
    }
}

/// Numbers of the fields of TensorProto that hold values.
enum TensorField {
    static let floatData = 4
    static let int32Data = 5
    static let stringData = 6
    static let int64Data = 7
    static let rawData = 9
    static let doubleData = 10
    static let uint64Data = 11

    /// The typed field that holds the values of an element type when they are not in `raw_data`.
    static func typed(_ type: ONNXElementType) -> Int {
        switch type {
        case .float32, .complex64: floatData
        case .string: stringData
        case .int64: int64Data
        case .float64, .complex128: doubleData
        case .uint32, .uint64: uint64Data
        default: int32Data
        }
    }
}

extension ModelParser {
    static let dimensionLimit = 32

    /// What was seen of the values.
    private struct TensorData {
        var raw: Range<Int>?
        /// The typed field, and the numbers (or texts) in all its pieces.
        var field: Int?
        var numbers = 0
        var isExternal = false
    }

    /// TensorProto, and the number of its name.
    mutating func tensor(_ message: WireReader) throws(Fault) -> (ONNXTensor, value: Int32) {
        var name = ""
        var value = NameTable.empty
        var dims: [Int] = []
        var typeCode: Int64 = 0
        var data = TensorData()
        var reader = message
        do throws(Fault) {
            while let tag = try reader.nextTag() {
                switch tag.field {
                case 1:
                    try reader.eachInt(tag) { (dim) throws(Fault) in
                        try append(dim, to: &dims, at: tag.offset)
                    }
                case 2: typeCode = try reader.int(tag)
                case 3: throw Fault(at: tag.offset, .unsupported("a tensor in segments"))
                case 8:
                    value = try self.value(tag, from: &reader)
                    name = names[value]
                case 14: data.isExternal = try reader.int(tag) == 1
                default: try read(tag, from: &reader, into: &data)
                }
            }
            let start = message.position
            guard let elementType = ONNXElementType(rawValue: Int(typeCode)) else {
                throw Fault(at: start, .unknownElementType(typeCode))
            }
            var count = 1
            for dim in dims {
                let (product, overflow) = count.multipliedReportingOverflow(by: dim)
                guard !overflow else { throw Fault(at: start, .tooManyElements(dims: dims)) }
                count = product
            }
            let storage = try storage(
                of: data, type: elementType, count: count, dims: dims, message: start..<message.end)
            let tensor = ONNXTensor(
                name: name, dims: dims, elementType: elementType, count: count, storage: storage,
                bytes: bytes)
            return (tensor, value)
        } catch {
            throw error.within(name.isEmpty ? "tensor" : "tensor \(quoted(name))")
        }
    }

    private mutating func append(_ dim: Int64, to dims: inout [Int], at offset: Int) throws(Fault) {
        try countRecord(at: offset)
        guard dim >= 0 else { throw Fault(at: offset, .negativeDimension(dim)) }
        guard dim <= Int64(Int32.max) else { throw Fault(at: offset, .dimensionTooLarge(dim)) }
        guard dims.count < Self.dimensionLimit else {
            throw Fault(at: offset, .tooManyDimensions(limit: Self.dimensionLimit))
        }
        dims.append(Int(dim))
    }

    private func read(
        _ tag: WireTag, from reader: inout WireReader, into data: inout TensorData
    ) throws(Fault) {
        let numbers: Int
        switch tag.field {
        case TensorField.rawData:
            // As in protobuf, the last of several wins.
            data.raw = try reader.range(tag)
            return
        case TensorField.floatData: numbers = try reader.fixedRange(tag, size: 4).count / 4
        case TensorField.doubleData: numbers = try reader.fixedRange(tag, size: 8).count / 8
        case TensorField.stringData:
            _ = try reader.range(tag)
            numbers = 1
        case TensorField.int32Data, TensorField.int64Data, TensorField.uint64Data:
            var counted = 0
            try reader.eachInt(tag) { _ in counted += 1 }
            numbers = counted
        default:
            try reader.skip(tag)
            return
        }
        guard numbers > 0 else { return }
        guard data.field == nil || data.field == tag.field else {
            throw Fault(at: tag.offset, .conflictingData("values in more than one of the data fields"))
        }
        data.field = tag.field
        data.numbers += numbers
    }

    /// Checks that the values are where the type says and as many as the shape says.
    private func storage(
        of data: TensorData, type: ONNXElementType, count: Int, dims: [Int], message: Range<Int>
    ) throws(Fault) -> ONNXTensor.Storage {
        let start = message.lowerBound
        guard !data.isExternal else { throw Fault(at: start, .externalData) }
        if let field = data.field {
            guard data.raw?.isEmpty ?? true else {
                throw Fault(at: start, .conflictingData("values in more than one of the data fields"))
            }
            guard field == TensorField.typed(type) else {
                throw Fault(
                    at: start, .conflictingData("\(type) values in field \(field), which is not theirs"))
            }
        }
        let isRaw = data.field == nil && type != .string
        guard let needed = Self.length(of: count, type, isRaw: isRaw) else {
            throw Fault(at: start, .tooManyElements(dims: dims))
        }
        let found = isRaw ? data.raw?.count ?? 0 : data.numbers
        guard needed == found else {
            throw Fault(
                at: start,
                .wrongDataLength(expected: needed, found: found, unit: isRaw ? "bytes" : "elements"))
        }
        guard count > 0 else { return .empty }
        if isRaw, let raw = data.raw { return .raw(raw) }
        return .typed(field: TensorField.typed(type), message: message)
    }

    /// What `count` elements take: bytes of `raw_data`, or numbers of a typed field. Nil when that overflows.
    private static func length(of count: Int, _ type: ONNXElementType, isRaw: Bool) -> Int? {
        let bits = type.bits ?? 8
        // Elements smaller than a byte share one, in int32_data too; complex numbers are two numbers.
        if isRaw || bits < 8 {
            let (total, overflow) = count.multipliedReportingOverflow(by: bits)
            return overflow ? nil : total / 8 + (total % 8 == 0 ? 0 : 1)
        }
        let parts = type == .complex64 || type == .complex128 ? 2 : 1
        let (total, overflow) = count.multipliedReportingOverflow(by: parts)
        return overflow ? nil : total
    }
}

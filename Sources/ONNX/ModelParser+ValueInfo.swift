extension ModelParser {
    /// ValueInfoProto with the TypeProto in it.
    mutating func valueInfo(_ message: WireReader, _ label: String) throws(Fault) -> ONNXValueInfo {
        var name = ""
        var value = NameTable.empty
        var elementType: ONNXElementType?
        var dims: [ONNXValueInfo.Dimension]?
        var reader = message
        do throws(Fault) {
            while let tag = try reader.nextTag() {
                switch tag.field {
                case 1:
                    value = try self.value(tag, from: &reader)
                    name = names[value]
                case 2:
                    var type = try reader.message(tag)
                    while let tag = try type.nextTag() {
                        guard tag.field == 1 else {
                            try type.skip(tag)
                            continue
                        }
                        (elementType, dims) = try tensorType(try type.message(tag))
                    }
                default: try reader.skip(tag)
                }
            }
            guard !name.isEmpty else { throw Fault(at: message.position, .missing("the name")) }
        } catch {
            throw error.within(name.isEmpty ? label : "\(label) \(quoted(name))")
        }
        return ONNXValueInfo(name: name, value: value, elementType: elementType, dims: dims)
    }

    /// TypeProto.Tensor with the TensorShapeProto in it.
    private mutating func tensorType(
        _ message: WireReader
    ) throws(Fault) -> (ONNXElementType?, [ONNXValueInfo.Dimension]?) {
        var elementType: ONNXElementType?
        var dims: [ONNXValueInfo.Dimension]?
        var reader = message
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1:
                let code = try reader.int(tag)
                guard let known = ONNXElementType(rawValue: Int(code)) else {
                    throw Fault(at: tag.offset, .unknownElementType(code))
                }
                elementType = known
            case 2:
                var shape = try reader.message(tag)
                var found: [ONNXValueInfo.Dimension] = []
                while let tag = try shape.nextTag() {
                    guard tag.field == 1 else {
                        try shape.skip(tag)
                        continue
                    }
                    try countRecord(at: tag.offset)
                    found.append(try dimension(try shape.message(tag)))
                }
                dims = found
            default: try reader.skip(tag)
            }
        }
        return (elementType, dims)
    }

    /// TensorShapeProto.Dimension.
    private func dimension(_ message: WireReader) throws(Fault) -> ONNXValueInfo.Dimension {
        var result = ONNXValueInfo.Dimension.unknown
        var reader = message
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1:
                let value = try reader.int(tag)
                guard value >= 0 else { throw Fault(at: tag.offset, .negativeDimension(value)) }
                result = .fixed(Int(value))
            case 2: result = .named(try reader.string(tag))
            default: try reader.skip(tag)
            }
        }
        return result
    }
}

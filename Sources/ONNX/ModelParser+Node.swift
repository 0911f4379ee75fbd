extension ModelParser {
    /// NodeProto.
    mutating func node(_ message: WireReader, of graph: inout GraphRecord) throws(Fault) {
        var name = message.position..<message.position
        var opType = NameTable.empty
        var graphs: [GraphRecord] = []
        let start = (reads: graph.reads.count, makes: graph.makes.count, attributes: graph.attributes.count)
        var reader = message
        do throws(Fault) {
            while let tag = try reader.nextTag() {
                switch tag.field {
                case 1:
                    try countRecord(at: tag.offset)
                    graph.reads.append(try value(tag, from: &reader))
                case 2:
                    try countRecord(at: tag.offset)
                    graph.makes.append(try value(tag, from: &reader))
                case 3: name = try reader.text(tag)
                case 4: opType = try value(tag, from: &reader)
                case 5:
                    try countRecord(at: tag.offset)
                    let index = graph.attributes.count - start.attributes
                    graph.attributes.append(try attribute(try reader.message(tag), index: index, &graphs))
                case 7: _ = try reader.text(tag)
                default: try reader.skip(tag)
                }
            }
            guard opType != NameTable.empty else { throw Fault(at: message.position, .missing("the operator")) }
            try checkUnique(graph.attributes[start.attributes...], at: message.position)
        } catch {
            let index = graph.nodes.count
            throw error.within(name.isEmpty ? "node \(index)" : "node \(index) \(quoted(bytes.text(name)))")
        }
        if !graphs.isEmpty { graph.innerGraphs[graph.nodes.count] = graphs }
        graph.nodes.append(
            .init(
                name: name, opType: opType,
                inputs: Int32(start.reads)..<Int32(graph.reads.count),
                outputs: Int32(start.makes)..<Int32(graph.makes.count),
                attributes: Int32(start.attributes)..<Int32(graph.attributes.count)))
    }

    private func checkUnique(_ attributes: ArraySlice<ONNXAttribute>, at offset: Int) throws(Fault) {
        // Operators have a few, which are compared with each other sooner than put into a set.
        let areFew = attributes.count <= 8
        var seen: Set<String> = []
        for (index, attribute) in zip(attributes.indices, attributes) {
            let isNew =
                areFew
                ? !attributes[..<index].contains { $0.name == attribute.name }
                : seen.insert(attribute.name).inserted
            guard isNew else { throw Fault(at: offset, .duplicate("attribute \(quoted(attribute.name))")) }
        }
    }

    /// The fields of AttributeProto that can hold its value.
    private struct AttributeFields {
        var name = ""
        var type: Int64 = 0
        var isReference = false
        var float: Float?
        var int: Int64?
        var string: String?
        var tensor: ONNXTensor?
        var graph: GraphRecord?
        var floats: [Float] = []
        var ints: [Int] = []
        var strings: [String] = []
        var tensors: [ONNXTensor] = []
        var graphs: [GraphRecord] = []
        /// AttributeProto.AttributeType of a field that is passed over.
        var unread: Int64?

        /// One bit for the AttributeProto.AttributeType of each field that is set.
        var present: UInt32 {
            var types: UInt32 = 0
            if float != nil { types |= 1 << 1 }
            if int != nil { types |= 1 << 2 }
            if string != nil { types |= 1 << 3 }
            if tensor != nil { types |= 1 << 4 }
            if graph != nil { types |= 1 << 5 }
            if !floats.isEmpty { types |= 1 << 6 }
            if !ints.isEmpty { types |= 1 << 7 }
            if !strings.isEmpty { types |= 1 << 8 }
            if !tensors.isEmpty { types |= 1 << 9 }
            if !graphs.isEmpty { types |= 1 << 10 }
            if let unread { types |= 1 << UInt32(unread) }
            return types
        }
    }

    /// AttributeProto. The graphs in it are added to `graphs`.
    private mutating func attribute(
        _ message: WireReader, index: Int, _ graphs: inout [GraphRecord]
    ) throws(Fault) -> ONNXAttribute {
        var fields = AttributeFields()
        var reader = message
        do throws(Fault) {
            while let tag = try reader.nextTag() { try read(tag, from: &reader, into: &fields) }
            guard !fields.name.isEmpty else { throw Fault(at: message.position, .missing("the name")) }
            let value = try value(of: fields, at: message.position)
            if !fields.isReference { graphs += fields.graph.map { [$0] } ?? fields.graphs }
            return ONNXAttribute(name: fields.name, value: value)
        } catch {
            throw error.within(
                fields.name.isEmpty ? "attribute \(index)" : "attribute \(quoted(fields.name))")
        }
    }

    private mutating func read(
        _ tag: WireTag, from reader: inout WireReader, into fields: inout AttributeFields
    ) throws(Fault) {
        switch tag.field {
        case 1: fields.name = try reader.string(tag)
        case 2: fields.float = try reader.float(tag)
        case 3: fields.int = try reader.int(tag)
        case 4: fields.string = try reader.string(tag)
        case 5:
            guard fields.tensor == nil else { throw Fault(at: tag.offset, .duplicate("the tensor")) }
            fields.tensor = try tensor(try reader.message(tag)).0
        case 6:
            guard fields.graph == nil else { throw Fault(at: tag.offset, .duplicate("the graph")) }
            fields.graph = try graph(try reader.message(tag))
        case 7:
            let range = try reader.fixedRange(tag, size: 4)
            for offset in stride(from: range.lowerBound, to: range.upperBound, by: 4) {
                try countRecord(at: tag.offset)
                let bits = bytes.base.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                fields.floats.append(Float(bitPattern: UInt32(littleEndian: bits)))
            }
        case 8:
            try reader.eachInt(tag) { (value) throws(Fault) in
                try countRecord(at: tag.offset)
                fields.ints.append(Int(value))
            }
        case 9:
            try countRecord(at: tag.offset)
            fields.strings.append(try reader.string(tag))
        case 10:
            try countRecord(at: tag.offset)
            fields.tensors.append(try tensor(try reader.message(tag)).0)
        case 11:
            try countRecord(at: tag.offset)
            fields.graphs.append(try graph(try reader.message(tag)))
        case 14: try skip(13)
        case 15: try skip(14)
        case 22: try skip(11)
        case 23: try skip(12)
        case 20: fields.type = try reader.int(tag)
        case 21: fields.isReference = !(try reader.range(tag)).isEmpty
        default: try reader.skip(tag)
        }
        func skip(_ type: Int64) throws(Fault) {
            fields.unread = type
            try reader.skip(tag)
        }
    }

    /// The value that the type asks for. Files older than IR version 2 have no type: there the one field that
    /// is set tells it.
    private func value(of fields: AttributeFields, at offset: Int) throws(Fault) -> ONNXAttribute.Value {
        if fields.isReference { return .unread(kind: "reference") }
        let present = fields.present
        guard present.nonzeroBitCount <= 1 else {
            throw Fault(at: offset, .conflictingData("values of more than one type"))
        }
        let held = present == 0 ? 0 : Int64(present.trailingZeroBitCount)
        let type = fields.type == 0 ? held : fields.type
        guard (1...14).contains(type) else { throw Fault(at: offset, .unknownAttributeType(type)) }
        guard held == 0 || held == type else {
            throw Fault(
                at: offset, .conflictingData("declared as type \(type), holds a value of type \(held)"))
        }
        switch type {
        // A number or text that is 0 or empty may be left out of the file.
        case 1: return .float(fields.float ?? 0)
        case 2: return .int(Int(fields.int ?? 0))
        case 3: return .string(fields.string ?? "")
        case 4:
            guard let tensor = fields.tensor else { throw Fault(at: offset, .missing("the tensor")) }
            return .tensor(tensor)
        case 5:
            guard fields.graph != nil else { throw Fault(at: offset, .missing("the graph")) }
            return .unread(kind: "graph")
        case 6: return .floats(fields.floats)
        case 7: return .ints(fields.ints)
        case 8: return .strings(fields.strings)
        case 9: return .tensors(fields.tensors)
        case 10: return .unread(kind: "graphs")
        case 11, 12: return .unread(kind: "sparse tensor")
        default: return .unread(kind: "type")
        }
    }
}

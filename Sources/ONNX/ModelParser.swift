/// Turns the messages of onnx.proto into values. One function for each message; field numbers are the cases.
struct ModelParser {
    /// Graphs inside attributes of nodes of graphs. Nothing real goes beyond 3.
    static let graphDepthLimit = 16
    /// Nodes, attributes, tensors, names and numbers together. A small message can stand for a value of many
    /// bytes in memory, so what a file may cost is bounded by this as well as by its length.
    static let recordLimit = 1 << 20

    let bytes: ModelBytes
    private var records = 0
    private var graphDepth = 0
    /// The names of the values of all graphs.
    private(set) var names: NameTable

    init(bytes: ModelBytes) {
        self.bytes = bytes
        names = NameTable(bytes)
    }

    /// To be called before each value that is kept.
    mutating func countRecord(at offset: Int) throws(Fault) {
        records += 1
        guard records <= Self.recordLimit else {
            throw Fault(at: offset, .tooManyRecords(limit: Self.recordLimit))
        }
    }

    /// The value that a field names.
    mutating func value(_ tag: WireTag, from reader: inout WireReader) throws(Fault) -> Int32 {
        let range = try reader.range(tag)
        let (value, isNew) = names.insert(range)
        if isNew {
            try countRecord(at: tag.offset)
            try reader.checkUTF8(range)
        }
        return value
    }

    struct Parts {
        var irVersion = 0
        var producerName = ""
        var producerVersion = ""
        var opsets: [String: Int] = [:]
        var metadata: [String: String] = [:]
        var graph: GraphRecord
        var names: NameTable
    }

    /// ModelProto.
    mutating func model() throws(Fault) -> Parts {
        var irVersion = 0
        var producer = (name: "", version: "")
        var opsets: [String: Int] = [:]
        var metadata: [String: String] = [:]
        var graph: GraphRecord?
        var reader = WireReader(bytes, 0..<bytes.count)
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: irVersion = Int(try reader.int(tag))
            case 2: producer.name = try reader.string(tag)
            case 3: producer.version = try reader.string(tag)
            case 7:
                guard graph == nil else { throw Fault(at: tag.offset, .duplicate("the graph")) }
                let message = try reader.message(tag)
                do throws(Fault) { graph = try self.graph(message) } catch { throw error.within("graph") }
            case 8:
                try countRecord(at: tag.offset)
                let (domain, version) = try opset(try reader.message(tag))
                guard opsets.updateValue(version, forKey: domain) == nil else {
                    throw Fault(at: tag.offset, .duplicate("operator set \(quoted(domain))"))
                }
            case 14:
                try countRecord(at: tag.offset)
                let (key, value) = try entry(try reader.message(tag))
                metadata[key] = value
            default: try reader.skip(tag)
            }
        }
        guard let graph else { throw Fault(at: reader.end, .missing("the graph")) }
        // Written after the graph by all known exporters: without it, the file may have been cut there.
        guard opsets[""] != nil else { throw Fault(at: reader.end, .missing("the operator set version")) }
        var scope = NameScope(names)
        do throws(Fault) { try scope.check(graph) } catch { throw error.within("graph") }
        return Parts(
            irVersion: irVersion, producerName: producer.name, producerVersion: producer.version,
            opsets: opsets, metadata: metadata, graph: graph, names: names)
    }

    /// OperatorSetIdProto. `ai.onnx` is another name of ONNX's own domain.
    private func opset(_ message: WireReader) throws(Fault) -> (String, Int) {
        var reader = message
        var domain = ""
        var version = 0
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: domain = try reader.string(tag)
            case 2: version = Int(try reader.int(tag))
            default: try reader.skip(tag)
            }
        }
        guard version > 0 else { throw Fault(at: message.position, .missing("the operator set version")) }
        return (domain == "ai.onnx" ? "" : domain, version)
    }

    /// StringStringEntryProto.
    private func entry(_ message: WireReader) throws(Fault) -> (String, String) {
        var reader = message
        var entry = ("", "")
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1: entry.0 = try reader.string(tag)
            case 2: entry.1 = try reader.string(tag)
            default: try reader.skip(tag)
            }
        }
        return entry
    }

    /// GraphProto.
    mutating func graph(_ message: WireReader) throws(Fault) -> GraphRecord {
        guard graphDepth < Self.graphDepthLimit else {
            throw Fault(at: message.position, .tooDeep(limit: Self.graphDepthLimit))
        }
        graphDepth += 1
        defer { graphDepth -= 1 }
        var graph = GraphRecord()
        if graphDepth == 1 { graph.reserveRoom() }
        var reader = message
        while let tag = try reader.nextTag() {
            switch tag.field {
            case 1:
                try countRecord(at: tag.offset)
                try node(try reader.message(tag), of: &graph)
            case 2: _ = try reader.text(tag)
            case 5:
                try countRecord(at: tag.offset)
                let index = graph.initializers.count
                let tensor: ONNXTensor
                let value: Int32
                do throws(Fault) {
                    (tensor, value) = try self.tensor(try reader.message(tag))
                } catch {
                    throw error.within("initializer \(index)")
                }
                guard !tensor.name.isEmpty else {
                    throw Fault(at: tag.offset, .missing("the name of initializer \(index)"))
                }
                guard graph.initializerIndices.updateValue(index, forKey: value) == nil else {
                    throw Fault(at: tag.offset, .duplicate("initializer \(quoted(tensor.name))"))
                }
                graph.initializers.append(tensor)
            case 11:
                try countRecord(at: tag.offset)
                graph.inputs.append(try valueInfo(try reader.message(tag), "input \(graph.inputs.count)"))
            case 12:
                try countRecord(at: tag.offset)
                graph.outputs.append(try valueInfo(try reader.message(tag), "output \(graph.outputs.count)"))
            case 15: throw Fault(at: tag.offset, .unsupported("a sparse initializer"))
            default: try reader.skip(tag)
            }
        }
        return graph
    }
}

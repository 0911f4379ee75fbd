/// A model in the ONNX format, read from a file that stays mapped.
///
/// Opening reads the structure and checks all of it; values of tensors are left in the file until asked for.
/// What it takes in memory is a small multiple of the bytes that describe the graph, whatever they claim.
/// Parts of ONNX that inference does not need (documentation, shapes of intermediate values, local functions,
/// training information) are passed over.
///
/// Source: onnx.proto of ONNX (IR version 8; later versions add fields, which are skipped) and ONNX's IR.md.
package struct ONNXModel: Sendable {
    package let irVersion: Int
    package let producerName: String
    package let producerVersion: String
    /// Versions of the operator sets by domain; ONNX's own domain is the empty string.
    package let opsets: [String: Int]
    /// Free texts that the exporter left.
    package let metadata: [String: String]
    private let graph: ONNXGraph

    /// What the model lies in.
    package var file: ModelFile { ModelFile(bytes: graph.names.bytes) }

    /// Maps and reads a file. See `ModelBytes` for what happens when the file is changed while mapped.
    package init(contentsOf path: String) throws(ONNXError) {
        let file = try ReadableFile(path: path)
        let bytes = try ModelBytes(mapping: file)
        try self.init(bytes)
        let size = try file.size()
        guard size == bytes.count else {
            throw .changedWhileReading(file: path, sizeBefore: bytes.count, sizeAfter: size)
        }
    }

    /// Reads a model from a copy of `bytes`; errors name it `name`.
    package init(bytes: some Sequence<UInt8>, name: String = "model") throws(ONNXError) {
        try self.init(
            Array(bytes).withUnsafeBytes { ModelBytes(copying: $0, name: name) })
    }

    init(_ bytes: ModelBytes) throws(ONNXError) {
        guard bytes.count > 0 else { throw .emptyFile(file: bytes.name) }
        do throws(Fault) {
            var parser = ModelParser(bytes: bytes)
            let parts = try parser.model()
            irVersion = parts.irVersion
            producerName = parts.producerName
            producerVersion = parts.producerVersion
            opsets = parts.opsets
            metadata = parts.metadata
            graph = ONNXGraph(parts.graph, names: parts.names)
        } catch {
            throw error.error(file: bytes.name)
        }
    }
}

extension ONNXModel {
    /// The size of the file.
    package var byteCount: Int { graph.names.bytes.count }
    /// In file order, which is one in which they can be run.
    package var nodes: [ONNXNode] { graph.record.nodes.indices.map { ONNXNode(graph: graph, index: $0) } }
    /// In file order.
    package var initializers: [ONNXTensor] { graph.record.initializers }
    /// May include initializers, in files of IR version 3 and older.
    package var inputs: [ONNXValueInfo] { graph.record.inputs }
    package var outputs: [ONNXValueInfo] { graph.record.outputs }
    /// The version of ONNX's own operator set. Opening made sure that there is one.
    package var opset: Int { opsets[""] ?? 0 }

    /// The nodes of some operators, in file order.
    package func nodes(_ opTypes: String...) -> [ONNXNode] {
        let numbers = opTypes.compactMap(graph.names.number(of:))
        return graph.record.nodes.indices
            .filter { numbers.contains(graph.record.nodes[$0].opType) }
            .map { ONNXNode(graph: graph, index: $0) }
    }

    /// The value of that name, of whatever kind.
    package func value(_ name: String) -> ONNXValue? {
        guard !name.isEmpty else { return nil }
        return graph.names.number(of: name).map { ONNXValue(graph: graph, number: $0) }
    }

    package func initializer(_ name: String) -> ONNXTensor? { value(name)?.initializer }
}

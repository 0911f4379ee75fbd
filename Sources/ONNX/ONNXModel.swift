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
    package let graph: ONNXGraph
    private let bytes: ModelBytes

    /// What the model lies in.
    package var file: ModelFile { ModelFile(bytes: bytes) }

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
        self.bytes = bytes
        do throws(Fault) {
            var parser = ModelParser(bytes: bytes)
            let parts = try parser.model()
            irVersion = parts.irVersion
            producerName = parts.producerName
            producerVersion = parts.producerVersion
            opsets = parts.opsets
            metadata = parts.metadata
            graph = parts.graph
        } catch {
            throw error.error(file: bytes.name)
        }
    }
}

extension ONNXModel {
    /// The size of the file.
    package var byteCount: Int { bytes.count }
    package var nodes: [ONNXNode] { graph.nodes }
    package var initializers: [String: ONNXTensor] { graph.initializers }
    package var inputs: [ONNXValueInfo] { graph.inputs }
    package var outputs: [ONNXValueInfo] { graph.outputs }
    /// The version of ONNX's own operator set. Opening made sure that there is one.
    package var opset: Int { opsets[""] ?? 0 }
}

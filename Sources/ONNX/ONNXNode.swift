/// One operation of a graph.
package struct ONNXNode: Sendable {
    let graph: ONNXGraph
    let index: Int
}

extension ONNXNode {
    private var record: GraphRecord.Node { graph.record.nodes[index] }

    /// May be empty, and need not be unique.
    package var name: String { graph.names.bytes.text(record.name) }

    /// The operator, such as `Conv`. Never empty.
    package var opType: String { graph.names[record.opType] }

    /// An optional input that is left out has an empty name.
    package var inputs: [ONNXValue] {
        graph.record.inputs(of: record).map { ONNXValue(graph: graph, number: $0) }
    }

    /// An optional output that is left out has an empty name.
    package var outputs: [ONNXValue] {
        graph.record.outputs(of: record).map { ONNXValue(graph: graph, number: $0) }
    }

    /// In file order, names unique.
    package var attributes: ArraySlice<ONNXAttribute> { graph.record.attributes(of: record) }

    /// How the node is named in errors: `Conv "/dec/conv_pre/Conv"`; by its first output when it has no name.
    package var label: String { graph.record.label(of: record, graph.names) }

    /// An input by its place; nil where the node does not have it, or leaves it out.
    package func input(_ place: Int) -> ONNXValue? {
        let inputs = graph.record.inputs(of: record)
        guard place < inputs.count else { return nil }
        let value = ONNXValue(graph: graph, number: inputs[inputs.startIndex + place])
        return value.isLeftOut ? nil : value
    }

    /// The value of an attribute, nil when the node does not have it.
    package func attribute(_ name: String) -> ONNXAttribute.Value? {
        attributes.first { $0.name == name }?.value
    }

    // Each of these gives nil when the node does not have the attribute, so that the caller applies the
    // operator's default, and throws `wrongAttributeType` when its value is of another type.

    package func int(_ name: String) throws(ONNXError) -> Int? {
        guard let value = attribute(name) else { return nil }
        guard case .int(let int) = value else { throw mismatch(name, value, "int") }
        return int
    }

    package func ints(_ name: String) throws(ONNXError) -> [Int]? {
        guard let value = attribute(name) else { return nil }
        guard case .ints(let ints) = value else { throw mismatch(name, value, "ints") }
        return ints
    }

    package func float(_ name: String) throws(ONNXError) -> Float? {
        guard let value = attribute(name) else { return nil }
        guard case .float(let float) = value else { throw mismatch(name, value, "float") }
        return float
    }

    package func floats(_ name: String) throws(ONNXError) -> [Float]? {
        guard let value = attribute(name) else { return nil }
        guard case .floats(let floats) = value else { throw mismatch(name, value, "floats") }
        return floats
    }

    package func string(_ name: String) throws(ONNXError) -> String? {
        guard let value = attribute(name) else { return nil }
        guard case .string(let string) = value else { throw mismatch(name, value, "string") }
        return string
    }

    package func tensor(_ name: String) throws(ONNXError) -> ONNXTensor? {
        guard let value = attribute(name) else { return nil }
        guard case .tensor(let tensor) = value else { throw mismatch(name, value, "tensor") }
        return tensor
    }

    private func mismatch(_ name: String, _ value: ONNXAttribute.Value, _ wanted: String) -> ONNXError {
        .wrongAttributeType(node: label, attribute: name, found: value.kind, wanted: wanted)
    }
}

/// One operation of a graph.
package struct ONNXNode: Sendable {
    /// May be empty, and need not be unique.
    package let name: String
    /// The operator, such as `Conv`. Never empty.
    package let opType: String
    /// Empty for ONNX's own operators.
    package let domain: String
    /// Names of values; an optional input that is left out is an empty string.
    package let inputs: [String]
    /// Names of values; an optional output that is left out is an empty string.
    package let outputs: [String]
    /// In file order, names unique.
    package let attributes: [ONNXAttribute]
}

extension ONNXNode {
    /// How the node is named in errors: `Conv "/dec/conv_pre/Conv"`; by its first output when it has no name.
    package var label: String {
        name.isEmpty ? "\(opType) making \(quoted(outputs.first ?? ""))" : "\(opType) \(quoted(name))"
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

    /// The tensor of a `Constant` node that has one; nil for other nodes and for the scalar forms.
    package var constant: ONNXTensor? {
        guard opType == "Constant", case .tensor(let tensor) = attribute("value") else { return nil }
        return tensor
    }

    private func mismatch(_ name: String, _ value: ONNXAttribute.Value, _ wanted: String) -> ONNXError {
        .wrongAttributeType(node: label, attribute: name, found: value.kind, wanted: wanted)
    }
}

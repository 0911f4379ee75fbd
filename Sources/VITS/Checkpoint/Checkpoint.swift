import ONNX
import Tensor

/// A voice file by the names of its layers.
///
/// Weights are found through the nodes that use them, since exporters fold weight normalisation
/// into tensors without a name (`onnx::Conv_8168`): a convolution is called by its weight's name
/// where that ends in `.weight`, otherwise by its bias's, otherwise by the node's path.
struct Checkpoint {
    let model: ONNXModel
    private var convolutions: [String: ONNXNode] = [:]

    /// - Throws: for a layer's weight that something else than a convolution reads: the layer would
    ///   be taken for absent.
    init(_ model: ONNXModel) throws(VITSError) {
        self.model = model
        for node in model.nodes("Conv", "ConvTranspose") {
            if let name = Self.layerName(of: node) { convolutions[name] = node }
        }
        for tensor in model.initializers where tensor.dims.count == 3 && tensor.name.hasSuffix(".weight") {
            let reader = model.value(tensor.name)?.consumers.first {
                !["Conv", "ConvTranspose", "Identity", "LeakyRelu"].contains($0.opType)
            }
            if let reader { throw .unsupported("a \(reader.opType) node that reads tensor \(tensor.name)") }
        }
    }

    private static func layerName(of node: ONNXNode) -> String? {
        if let name = node.input(1)?.name.droppingSuffix(".weight") { return name }
        if let name = node.input(2)?.name.droppingSuffix(".bias") { return name }
        let path = node.name.split(separator: "/").map(String.init)
        return path.count > 1 ? path.dropLast().joined(separator: ".") : nil
    }

    // MARK: Tensors

    func tensor(named name: String) -> ONNXTensor? { model.value(name).flatMap(tensor(of:)) }

    func tensor(of value: ONNXValue) -> ONNXTensor? {
        if let tensor = value.initializer { return tensor }
        // What exporters leave of a tensor that equals another one.
        guard let producer = value.producer, producer.opType == "Identity" else { return nil }
        return producer.input(0)?.initializer
    }

    /// A tensor's floats, which must be finite. The large weights of the convolutions are mapped, and
    /// not read while the voice is loaded: what is wrong there is silence in the end.
    /// - Parameter shape: what it must have; −1 stands for any size.
    func floats(_ name: String, shape: [Int]) throws -> [Float] {
        try floats(of: named(name), shape: shape)
    }

    func named(_ name: String) throws(VITSError) -> ONNXTensor {
        guard let tensor = tensor(named: name) else { throw .missing("tensor \(name)") }
        return tensor
    }

    func constant(_ value: ONNXValue) throws(VITSError) -> ONNXTensor {
        guard let tensor = tensor(of: value) else { throw .missing("tensor \(value.name)") }
        return tensor
    }

    func floats(of tensor: ONNXTensor, shape: [Int]) throws -> [Float] {
        try check(tensor, shape: shape)
        let values = try tensor.floats()
        guard values.areFinite else { throw VITSError.notFinite(tensor: tensor.name) }
        return values
    }

    func check(_ tensor: ONNXTensor, shape: [Int]) throws(VITSError) {
        let fits =
            tensor.dims.count == shape.count
            && zip(tensor.dims, shape).allSatisfy { $1 == -1 || $0 == $1 }
        guard fits, !tensor.dims.contains(0) else {
            throw .shape(tensor: tensor.name, expected: shape, actual: tensor.dims)
        }
    }

    // MARK: Nodes

    func hasConvolution(_ name: String) -> Bool { convolutions[name] != nil }

    func convolutionNode(_ name: String) throws(VITSError) -> ONNXNode {
        guard let node = convolutions[name] else { throw .missing("layer \(name)") }
        return node
    }

    /// The numbers N for which the convolution `prefix.N.suffix` exists, ascending.
    func indices(_ prefix: String, _ suffix: String = "") -> [Int] {
        let prefix = prefix + "."
        let suffix = suffix.isEmpty ? "" : "." + suffix
        return convolutions.keys.compactMap { key in
            guard key.hasPrefix(prefix), key.hasSuffix(suffix), key.utf8.count > prefix.utf8.count + suffix.utf8.count
            else { return nil }
            let text = key.utf8.dropFirst(prefix.utf8.count).dropLast(suffix.utf8.count)
            guard let number = Int(Substring(text)) else { return nil }
            // "03" and "+3" would be a second 3.
            return number >= 0 && String(number) == Substring(text) ? number : nil
        }.sorted()
    }

    /// The slope of the leaky ReLU whose result the convolution `name` reads.
    func slope(before name: String) throws -> Float {
        let node = try convolutionNode(name)
        guard let activation = node.input(0)?.producer, activation.opType == "LeakyRelu" else {
            throw VITSError.unsupported("no LeakyRelu before layer \(name)")
        }
        // ONNX's default.
        return try activation.float("alpha") ?? 0.01
    }
}

extension [Float] {
    /// Whether there is neither an infinity nor a NaN: no exponent of ones.
    fileprivate var areFinite: Bool {
        var largest: UInt32 = 0
        for value in self { largest = Swift.max(largest, value.bitPattern & 0x7FFF_FFFF) }
        return largest < 0x7F80_0000
    }
}

extension String {
    func droppingSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}

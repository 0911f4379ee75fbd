/// Operations in an order in which they can be run, and the constants they use.
///
/// Every name that a node reads is an input, an initializer or an output of an earlier node (of this graph or
/// of one around it), and every value has one producer: a walk against the arrows ends.
package struct ONNXGraph: Sendable {
    package let name: String
    /// In file order.
    package let nodes: [ONNXNode]
    package let initializers: [String: ONNXTensor]
    /// May include initializers, in files of IR version 3 and older.
    package let inputs: [ONNXValueInfo]
    package let outputs: [ONNXValueInfo]

    /// The initializers and the tensors of the `Constant` nodes, by the name under which nodes read them.
    package func constants() -> [String: ONNXTensor] {
        var all = initializers
        for node in nodes {
            if let tensor = node.constant, let name = node.outputs.first { all[name] = tensor }
        }
        return all
    }
}

/// What is known of an input or output of a graph.
package struct ONNXValueInfo: Sendable {
    package enum Dimension: Sendable, Equatable {
        case fixed(Int)
        case named(String)
        case unknown
    }

    package let name: String
    /// Nil when it is not told, or when the value is not a tensor.
    package let elementType: ONNXElementType?
    /// Nil when not even the number of dimensions is told.
    package let dims: [Dimension]?
}

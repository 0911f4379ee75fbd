/// A graph as the parser reads it. What nodes have of values and attributes is kept in a few long arrays, not in some
/// short ones for each node; a value is its name's number in the model's `NameTable`.
struct GraphRecord: Sendable {
    struct Node: Sendable {
        /// Where in the file the name is, which need not be unique.
        let name: Range<Int>
        /// A number too: there are few operators.
        let opType: Int32
        /// Ranges of `reads`, `makes` and `attributes`.
        let inputs: Range<Int32>
        let outputs: Range<Int32>
        let attributes: Range<Int32>
    }

    var nodes: [Node] = []
    /// The values that the nodes read, node after node.
    var reads: [Int32] = []
    /// The values that the nodes make, node after node.
    var makes: [Int32] = []
    var attributes: [ONNXAttribute] = []
    var initializers: [ONNXTensor] = []
    /// Indices of `initializers` by the number of the name.
    var initializerIndices: [Int32: Int] = [:]
    var inputs: [ONNXValueInfo] = []
    var outputs: [ONNXValueInfo] = []
    /// The graphs in attributes of nodes, by the index of the node.
    var innerGraphs: [Int: [GraphRecord]] = [:]
}

extension GraphRecord {
    /// Makes room for the 2,000 to 3,000 nodes of a voice, as arrays that grow take twice the memory while they do.
    mutating func reserveRoom() {
        nodes.reserveCapacity(1 << 12)
        reads.reserveCapacity(1 << 13)
        makes.reserveCapacity(1 << 12)
        attributes.reserveCapacity(1 << 11)
        initializers.reserveCapacity(1 << 9)
        initializerIndices.reserveCapacity(1 << 9)
    }

    func inputs(of node: Node) -> ArraySlice<Int32> { reads[Int(node.inputs.lowerBound)..<Int(node.inputs.upperBound)] }

    func outputs(of node: Node) -> ArraySlice<Int32> {
        makes[Int(node.outputs.lowerBound)..<Int(node.outputs.upperBound)]
    }

    func attributes(of node: Node) -> ArraySlice<ONNXAttribute> {
        attributes[Int(node.attributes.lowerBound)..<Int(node.attributes.upperBound)]
    }

    /// How a node is named in errors: `Conv "/dec/conv_pre/Conv"`; by its first output when it has no name.
    func label(of node: Node, _ names: NameTable) -> String {
        let opType = names[node.opType]
        guard node.name.isEmpty else { return "\(opType) \(quoted(names.bytes.text(node.name)))" }
        return "\(opType) making \(quoted(outputs(of: node).first.map { names[$0] } ?? ""))"
    }
}

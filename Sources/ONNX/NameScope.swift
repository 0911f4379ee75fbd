/// Checks that the values of a graph are made once and before they are used.
///
/// Source: ONNX's IR.md, "Graphs": nodes are in topological order, names of values are unique in a graph, and a
/// graph inside a node sees the values around it.
struct NameScope {
    /// The depth of the graph that made each value that can be seen.
    private var depths: [String: Int] = [:]
    private var depth = 0

    mutating func check(_ graph: ONNXGraph) throws(Fault) {
        depth += 1
        defer { depth -= 1 }
        /// What to restore when the graph ends. At the outermost graph nothing follows.
        var hidden: [(name: String, depth: Int?)] = []
        if depth == 1 {
            depths.reserveCapacity(graph.inputs.count + graph.initializers.count + graph.nodes.count)
        }

        for input in graph.inputs {
            guard define(input.name, &hidden) else {
                throw Fault(at: nil, .duplicate("input \(quoted(input.name))"))
            }
        }
        // An initializer may give an input its default.
        for name in graph.initializers.keys { _ = define(name, &hidden) }
        for (index, node) in graph.nodes.enumerated() {
            do throws(Fault) {
                try check(node, &hidden)
            } catch {
                throw error.within("node \(index) \(node.label)")
            }
        }
        for output in graph.outputs where depths[output.name] == nil {
            throw Fault(at: nil, .undefinedName(output.name)).within("outputs")
        }
        for (name, depth) in hidden.reversed() { depths[name] = depth }
    }

    private mutating func check(
        _ node: ONNXNode, _ hidden: inout [(name: String, depth: Int?)]
    ) throws(Fault) {
        for input in node.inputs where !input.isEmpty && depths[input] == nil {
            throw Fault(at: nil, .undefinedName(input))
        }
        for attribute in node.attributes {
            switch attribute.value {
            case .graph(let graph): try check(graph)
            case .graphs(let graphs): for graph in graphs { try check(graph) }
            default: break
            }
        }
        for output in node.outputs where !output.isEmpty && !define(output, &hidden) {
            throw Fault(at: nil, .duplicate("value \(quoted(output))"))
        }
    }

    /// False when the same graph already has the name.
    private mutating func define(_ name: String, _ hidden: inout [(name: String, depth: Int?)]) -> Bool {
        let before = depths.updateValue(depth, forKey: name)
        if depth > 1 { hidden.append((name, before)) }
        return before != depth
    }
}

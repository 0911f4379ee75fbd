/// Checks that the values of a graph are made once and before they are used.
///
/// Source: ONNX's IR.md, "Graphs": nodes are in topological order, names of values are unique in a graph, and a
/// graph inside a node sees the values around it.
struct NameScope {
    private let names: NameTable
    /// By value: the depth of the graph that made it, 0 for one that cannot be seen.
    private var depths: [Int]
    private var depth = 0

    init(_ names: NameTable) {
        self.names = names
        depths = [Int](repeating: 0, count: names.count)
    }

    mutating func check(_ graph: GraphRecord) throws(Fault) {
        depth += 1
        defer { depth -= 1 }
        /// What to restore when the graph ends. At the outermost graph nothing follows.
        var hidden: [(value: Int32, depth: Int)] = []

        for input in graph.inputs {
            guard define(input.value, &hidden) else {
                throw Fault(at: nil, .duplicate("input \(quoted(input.name))"))
            }
        }
        // An initializer may give an input its default.
        for value in graph.initializerIndices.keys { _ = define(value, &hidden) }
        for index in graph.nodes.indices {
            do throws(Fault) {
                try check(node: index, of: graph, &hidden)
            } catch {
                throw error.within("node \(index) \(graph.label(of: graph.nodes[index], names))")
            }
        }
        for output in graph.outputs where depths[Int(output.value)] == 0 {
            throw Fault(at: nil, .undefinedName(output.name)).within("outputs")
        }
        for (value, depth) in hidden.reversed() { depths[Int(value)] = depth }
    }

    private mutating func check(
        node index: Int, of graph: GraphRecord, _ hidden: inout [(value: Int32, depth: Int)]
    ) throws(Fault) {
        let node = graph.nodes[index]
        for value in graph.inputs(of: node) where depths[Int(value)] == 0 && value != NameTable.empty {
            throw Fault(at: nil, .undefinedName(names[value]))
        }
        for graph in graph.innerGraphs[index] ?? [] { try check(graph) }
        for value in graph.outputs(of: node) where value != NameTable.empty && !define(value, &hidden) {
            throw Fault(at: nil, .duplicate("value \(quoted(names[value]))"))
        }
    }

    /// False when the same graph already has the value.
    private mutating func define(_ value: Int32, _ hidden: inout [(value: Int32, depth: Int)]) -> Bool {
        let before = depths[Int(value)]
        depths[Int(value)] = depth
        if depth > 1 { hidden.append((value, before)) }
        return before != depth
    }
}

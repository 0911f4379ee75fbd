/// What a graph computes with: an input, an initializer or the output of a node.
package struct ONNXValue: Sendable {
    let graph: ONNXGraph
    let number: Int32

    /// Empty for an optional input or output that is left out.
    package var name: String { graph.names[number] }

    /// The constant that the file gives it.
    package var initializer: ONNXTensor? {
        graph.record.initializerIndices[number].map { graph.record.initializers[$0] }
    }

    /// The node that makes it.
    package var producer: ONNXNode? {
        isLeftOut ? nil : graph.producer(of: number).map { ONNXNode(graph: graph, index: $0) }
    }

    /// The nodes that read it, in the graph's order.
    package var consumers: [ONNXNode] {
        var nodes: [ONNXNode] = []
        for index in graph.consumers(of: number).map(Int.init) where nodes.last?.index != index {
            nodes.append(ONNXNode(graph: graph, index: index))
        }
        return nodes
    }

    var isLeftOut: Bool { number == NameTable.empty }
}

extension ONNXValue: Equatable {
    /// For values of one model.
    package static func == (a: ONNXValue, b: ONNXValue) -> Bool { a.number == b.number }
}

/// What is known of an input or output of a graph.
package struct ONNXValueInfo: Sendable {
    package enum Dimension: Sendable, Equatable {
        case fixed(Int)
        case named(String)
        case unknown
    }

    package let name: String
    /// The number of the name.
    let value: Int32
    /// Nil when it is not told, or when the value is not a tensor.
    package let elementType: ONNXElementType?
    /// Nil when not even the number of dimensions is told.
    package let dims: [Dimension]?
}

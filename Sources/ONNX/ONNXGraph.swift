/// Operations in an order in which they can be run, and the constants they use.
///
/// Every name that a node reads is an input, an initializer or an output of an earlier node, and every value has one
/// producer: a walk against the arrows ends.
final class ONNXGraph: Sendable {
    let record: GraphRecord
    let names: NameTable
    /// By value: the index of the node that makes it, or −1.
    private let producers: [Int32]
    /// The nodes that read each value, value after value; those of value `v` begin at `consumerStarts[v]`.
    private let consumers: [Int32]
    private let consumerStarts: [Int32]

    /// Takes a graph that has passed `NameScope`.
    init(_ record: GraphRecord, names: NameTable) {
        self.record = record
        self.names = names
        var producers = [Int32](repeating: -1, count: names.count)
        var starts = [Int32](repeating: 0, count: names.count + 1)
        for value in record.reads { starts[Int(value) + 1] += 1 }
        for value in 0..<names.count { starts[value + 1] += starts[value] }
        var consumers = [Int32](repeating: 0, count: record.reads.count)
        var next = starts
        for (index, node) in record.nodes.enumerated() {
            for value in record.outputs(of: node) { producers[Int(value)] = Int32(index) }
            for value in record.inputs(of: node) {
                consumers[Int(next[Int(value)])] = Int32(index)
                next[Int(value)] += 1
            }
        }
        self.producers = producers
        self.consumers = consumers
        consumerStarts = starts
    }

    func producer(of value: Int32) -> Int? {
        let node = producers[Int(value)]
        return node < 0 ? nil : Int(node)
    }

    /// In ascending order; a node that reads the value twice is there twice.
    func consumers(of value: Int32) -> ArraySlice<Int32> {
        consumers[Int(consumerStarts[Int(value)])..<Int(consumerStarts[Int(value) + 1])]
    }
}

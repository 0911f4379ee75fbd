/// A named constant of a node.
package struct ONNXAttribute: Sendable {
    package enum Value: Sendable {
        case float(Float)
        case int(Int)
        case string(String)
        indirect case tensor(ONNXTensor)
        indirect case graph(ONNXGraph)
        case floats([Float])
        case ints([Int])
        case strings([String])
        case tensors([ONNXTensor])
        case graphs([ONNXGraph])
        /// A sparse tensor or a type, which no supported operator needs; or, in a function's body, a reference.
        case unread(kind: String)

        /// What the value is, for errors.
        package var kind: String {
            switch self {
            case .float: "float"
            case .int: "int"
            case .string: "string"
            case .tensor: "tensor"
            case .graph: "graph"
            case .floats: "floats"
            case .ints: "ints"
            case .strings: "strings"
            case .tensors: "tensors"
            case .graphs: "graphs"
            case .unread(let kind): kind
            }
        }
    }

    package let name: String
    package let value: Value
}

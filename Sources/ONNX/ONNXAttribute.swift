/// A named constant of a node.
package struct ONNXAttribute: Sendable {
    package enum Value: Sendable {
        case float(Float)
        case int(Int)
        case string(String)
        indirect case tensor(ONNXTensor)
        case floats([Float])
        case ints([Int])
        case strings([String])
        case tensors([ONNXTensor])
        /// A graph, which is checked and not kept; a sparse tensor or a type; or, in a function's body, a reference.
        /// No supported operator needs them.
        case unread(kind: String)

        /// What the value is, for errors.
        package var kind: String {
            switch self {
            case .float: "float"
            case .int: "int"
            case .string: "string"
            case .tensor: "tensor"
            case .floats: "floats"
            case .ints: "ints"
            case .strings: "strings"
            case .tensors: "tensors"
            case .unread(let kind): kind
            }
        }
    }

    package let name: String
    package let value: Value
}

import Foundation
import TestSupport
import VITS

/// A protobuf message as its fields, to be changed and written again; for voices that are wrong on
/// purpose. Of what the tests' own voices contain, and no more.
struct WireMessage {
    struct Field {
        var number: Int
        var value: Value
    }

    enum Value {
        case varint(UInt64)
        case fixed32(UInt32)
        case bytes([UInt8])
    }

    var fields: [Field] = []

    init(_ bytes: some Collection<UInt8>) {
        var rest = bytes[...]
        func varint() -> UInt64 {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            while let byte = rest.popFirst() {
                value |= UInt64(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 { break }
            }
            return value
        }
        while !rest.isEmpty {
            let tag = varint()
            let value: Value
            switch tag & 7 {
            case 0: value = .varint(varint())
            case 5: value = .fixed32((0..<4).reduce(0) { $0 | UInt32(rest.popFirst() ?? 0) << (8 * $1) })
            default:
                let count = Int(varint())
                value = .bytes(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            fields.append(Field(number: Int(tag >> 3), value: value))
        }
    }

    var encoded: [UInt8] {
        var out: [UInt8] = []
        func append(_ value: UInt64) {
            var value = value
            while value >= 0x80 {
                out.append(UInt8(value & 0x7F) | 0x80)
                value >>= 7
            }
            out.append(UInt8(value))
        }
        for field in fields {
            switch field.value {
            case .varint(let value):
                append(UInt64(field.number) << 3)
                append(value)
            case .fixed32(let value):
                append(UInt64(field.number) << 3 | 5)
                out += (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            case .bytes(let bytes):
                append(UInt64(field.number) << 3 | 2)
                append(UInt64(bytes.count))
                out += bytes
            }
        }
        return out
    }

    /// The texts of a repeated field.
    subscript(texts number: Int) -> [String] {
        get {
            fields.compactMap { field in
                guard field.number == number, case .bytes(let bytes) = field.value else { return nil }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
        set {
            fields.removeAll { $0.number == number }
            fields += newValue.map { Field(number: number, value: .bytes(Array($0.utf8))) }
        }
    }

    /// The numbers of a repeated field, not packed.
    subscript(numbers number: Int) -> [Int] {
        get {
            fields.compactMap { field in
                guard field.number == number, case .varint(let value) = field.value else { return nil }
                return Int(truncatingIfNeeded: value)
            }
        }
        set {
            fields.removeAll { $0.number == number }
            fields += newValue.map { Field(number: number, value: .varint(UInt64(truncatingIfNeeded: $0))) }
        }
    }

    /// Changes every message of a repeated field for which `change` wants that; false removes it.
    mutating func edit(_ number: Int, _ change: (inout WireMessage) -> Bool) {
        for index in fields.indices.reversed() {
            guard fields[index].number == number, case .bytes(let bytes) = fields[index].value else {
                continue
            }
            var message = WireMessage(bytes)
            if change(&message) {
                fields[index].value = .bytes(message.encoded)
            } else {
                fields.remove(at: index)
            }
        }
    }
}

/// A voice whose tensors and nodes can be changed. Field numbers are those of onnx.proto.
struct EditedVoice {
    private var model: WireMessage
    private var graph: WireMessage
    /// The initializers' names and shapes.
    let tensors: [(name: String, dims: [Int])]

    init(_ name: String) throws {
        model = WireMessage(try GoldenFiles.bytes(name))
        var graph = WireMessage([])
        model.edit(7) {
            graph = $0
            return true
        }
        var tensors: [(name: String, dims: [Int])] = []
        graph.edit(5) {
            tensors.append(($0[texts: 8].first ?? "", $0[numbers: 1]))
            return true
        }
        self.graph = graph
        self.tensors = tensors.reversed()
    }

    var bytes: [UInt8] {
        var model = model
        model.edit(7) {
            $0 = graph
            return true
        }
        return model.encoded
    }

    func load(_ execution: VITSModel.Execution = .automatic) throws -> VITSModel {
        try VITSModel(bytes: bytes, name: "edited", execution: execution)
    }

    mutating func removeTensor(_ name: String) {
        graph.edit(5) { $0[texts: 8] != [name] }
    }

    /// Changes a tensor's shape and numbers.
    mutating func editTensor(_ name: String, _ change: (_ dims: inout [Int], _ values: inout [Float]) -> Void) {
        graph.edit(5) { tensor in
            guard tensor[texts: 8] == [name] else { return true }
            var dims = tensor[numbers: 1]
            var values: [Float] = []
            for field in tensor.fields where field.number == 9 {
                guard case .bytes(let raw) = field.value else { continue }
                values = stride(from: 0, to: raw.count, by: 4).map { i in
                    Float(bitPattern: (0..<4).reduce(0) { $0 | UInt32(raw[i + $1]) << (8 * $1) })
                }
            }
            change(&dims, &values)
            tensor[numbers: 1] = dims
            tensor.fields.removeAll { $0.number == 9 }
            let raw = values.flatMap { v in
                (0..<4).map { UInt8(truncatingIfNeeded: v.bitPattern >> (8 * $0)) }
            }
            tensor.fields.append(WireMessage.Field(number: 9, value: .bytes(raw)))
            return true
        }
    }

    /// Renames a tensor wherever it is named.
    mutating func renameTensor(_ name: String, to other: String) {
        graph.edit(5) { tensor in
            if tensor[texts: 8] == [name] { tensor[texts: 8] = [other] }
            return true
        }
        graph.edit(1) { node in
            if node[texts: 1].contains(name) {
                node[texts: 1] = node[texts: 1].map { $0 == name ? other : $0 }
            }
            return true
        }
    }

    /// Changes the node of that name.
    mutating func editNode(_ name: String, _ change: (inout WireMessage) -> Void) {
        graph.edit(1) { node in
            if node[texts: 3] == [name] { change(&node) }
            return true
        }
    }

    /// Sets the integers of a node's attribute, or takes it away.
    mutating func setAttribute(_ attribute: String, of node: String, to values: [Int]?) {
        editNode(node) { node in
            node.edit(5) { message in
                guard message[texts: 1] == [attribute] else { return true }
                guard let values else { return false }
                if message[numbers: 8].isEmpty {
                    message[numbers: 3] = values
                } else {
                    message[numbers: 8] = values
                }
                return true
            }
        }
    }

    /// Sets the number of a node's attribute.
    mutating func setAttribute(_ attribute: String, of node: String, float value: Float) {
        editNode(node) { node in
            node.edit(5) { message in
                guard message[texts: 1] == [attribute] else { return true }
                message.fields.removeAll { $0.number == 2 }
                message.fields.append(WireMessage.Field(number: 2, value: .fixed32(value.bitPattern)))
                return true
            }
        }
    }

    /// Sets a node's attribute to a text.
    mutating func addAttribute(_ attribute: String, of node: String, text: String) {
        editNode(node) { node in
            var message = WireMessage([])
            message[texts: 1] = [attribute]
            message[texts: 4] = [text]
            message[numbers: 20] = [3]
            node.fields.append(WireMessage.Field(number: 5, value: .bytes(message.encoded)))
        }
    }

    mutating func setOperator(of node: String, to opType: String) {
        editNode(node) { $0[texts: 4] = [opType] }
    }
}

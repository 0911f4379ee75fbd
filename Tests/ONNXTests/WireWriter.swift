/// Writes protobuf messages field by field, right ones and wrong ones.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    static func message(_ build: (inout WireWriter) -> Void) -> [UInt8] {
        var writer = WireWriter()
        build(&writer)
        return writer.bytes
    }

    mutating func raw(_ more: [UInt8]) { bytes += more }

    mutating func varint(_ value: UInt64) {
        var value = value
        while value > 0x7F {
            bytes.append(UInt8(value & 0x7F) | 0x80)
            value >>= 7
        }
        bytes.append(UInt8(value))
    }

    mutating func tag(_ field: Int, _ wireType: Int) { varint(UInt64(field) << 3 | UInt64(wireType)) }

    mutating func int(_ field: Int, _ value: Int64) {
        tag(field, 0)
        varint(UInt64(bitPattern: value))
    }

    mutating func bytes(_ field: Int, _ value: [UInt8]) {
        tag(field, 2)
        varint(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ field: Int, _ value: String) { bytes(field, Array(value.utf8)) }

    mutating func message(_ field: Int, _ build: (inout WireWriter) -> Void) {
        bytes(field, Self.message(build))
    }
}

/// Models made by hand, each right but for what the test puts in.
enum Model {
    /// A model whose graph has the fields that `build` writes.
    static func bytes(_ build: (inout WireWriter) -> Void) -> [UInt8] {
        WireWriter.message { model in
            model.int(1, 8)
            model.message(7, build)
            model.message(8) { $0.int(2, 15) }
        }
    }

    /// A model with one initializer, "w", of the given TensorProto fields.
    static func tensor(dims: [Int64], type: Int64 = 1, _ build: (inout WireWriter) -> Void) -> [UInt8] {
        bytes { graph in
            graph.message(5) { tensor in
                for dim in dims { tensor.int(1, dim) }
                tensor.int(2, type)
                tensor.text(8, "w")
                build(&tensor)
            }
        }
    }

    /// A model with one node, "n", with one attribute of the given AttributeProto fields.
    static func attribute(_ build: (inout WireWriter) -> Void) -> [UInt8] {
        bytes { graph in
            graph.message(1) { node in
                node.text(3, "n")
                node.text(4, "Op")
                node.message(5, build)
            }
        }
    }
}

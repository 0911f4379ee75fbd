/// Why a model file, or something in it, cannot be used. `description` is one line.
package enum ONNXError: Error, Equatable, Sendable {
    /// The operating system refused; `code` is its `errno`.
    case unreadable(file: String, code: Int32)
    /// A directory, pipe, socket or device.
    case notARegularFile(file: String)
    case emptyFile(file: String)
    /// The size of the file changed between opening and the end of reading.
    case changedWhileReading(file: String, sizeBefore: Int, sizeAfter: Int)
    /// What stands at `place` cannot be read as ONNX, or is a part of ONNX that this reader leaves out.
    case refused(Place, Reason)
    /// The tensor's values cannot be had as the kind of number asked for.
    case wrongElementType(file: String, tensor: String, found: ONNXElementType, wanted: String)
    /// A value that does not fit the kind of number asked for.
    case valueOutOfRange(file: String, tensor: String, index: Int, wanted: String)
    /// The caller's buffer does not have one element for each of the tensor's.
    case wrongCount(file: String, tensor: String, elements: Int, buffer: Int)
    /// An attribute is there, with another type of value than the one asked for.
    case wrongAttributeType(node: String, attribute: String, found: String, wanted: String)

    /// Where in the file something is.
    package struct Place: Equatable, Sendable {
        /// The path as it was given.
        package let file: String
        /// The way from the outside in, as in `graph, node 12 "/dec/conv", attribute "pads"`.
        package let path: String
        /// Bytes from the start of the file; nil when it is about names, not bytes.
        package let offset: Int?
    }

    /// What is wrong at a place.
    package enum Reason: Equatable, Sendable {
        // The wire format.
        case truncated(needed: UInt64, available: Int)
        case overlongVarint
        case invalidTag
        case wrongWireType(field: Int, found: Int)
        case unevenPackedLength(length: Int, elementSize: Int)
        case invalidUTF8
        case tooDeep(limit: Int)
        case tooManyRecords(limit: Int)
        // The structure of a model.
        case missing(String)
        case duplicate(String)
        case undefinedName(String)
        // Tensors and attributes.
        case unknownElementType(Int64)
        case negativeDimension(Int64)
        case dimensionTooLarge(Int64)
        case tooManyDimensions(limit: Int)
        case tooManyElements(dims: [Int])
        case wrongDataLength(expected: Int, found: Int, unit: String)
        case conflictingData(String)
        case unknownAttributeType(Int64)
        // Parts of ONNX that are left out.
        case externalData
        case unsupported(String)
    }
}

extension ONNXError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let file, let code):
            "cannot read \(quoted(file)): \(systemMessage(code))"
        case .notARegularFile(let file):
            "\(quoted(file)) is not a regular file; give the path of the .onnx file itself"
        case .emptyFile(let file):
            "\(quoted(file)) is empty; fetch the voice again"
        case .changedWhileReading(let file, let before, let after):
            "\(quoted(file)) changed from \(before) to \(after) bytes while it was being read; try again"
        case .refused(let place, let reason):
            "\(quoted(place.file)): \(place.path)\(place.offset.map { " (byte \($0))" } ?? ""): \(reason)"
        case .wrongElementType(let file, let tensor, let found, let wanted):
            "\(quoted(file)): tensor \(quoted(tensor)) holds \(found), expected \(wanted)"
        case .valueOutOfRange(let file, let tensor, let index, let wanted):
            "\(quoted(file)): tensor \(quoted(tensor)): element \(index) does not fit \(wanted)"
        case .wrongCount(let file, let tensor, let elements, let buffer):
            "\(quoted(file)): tensor \(quoted(tensor)) has \(elements) elements, the buffer has \(buffer)"
        case .wrongAttributeType(let node, let attribute, let found, let wanted):
            "\(node): attribute \(quoted(attribute)) is of type \(found), expected \(wanted)"
        }
    }
}

extension ONNXError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .truncated(let needed, let available):
            "\(needed) bytes needed, \(available) left; the file is cut short or damaged"
        case .overlongVarint: "a variable-length integer does not end within 10 bytes or exceeds 64 bits"
        case .invalidTag: "not a field of a protobuf message"
        case .wrongWireType(let field, let found):
            "field \(field) has wire type \(found), not the one ONNX gives it"
        case .unevenPackedLength(let length, let size):
            "packed numbers take \(length) bytes, not a multiple of \(size)"
        case .invalidUTF8: "a text is not valid UTF-8"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooManyRecords(let limit): "more than \(limit) nodes, names and numbers in one file"
        case .missing(let what): "\(what) is missing"
        case .duplicate(let what): "\(what) is there more than once"
        case .undefinedName(let name):
            "\(quoted(name)) is used but is no input, initializer or output of an earlier node"
        case .unknownElementType(let code): "element type \(code) is not known"
        case .negativeDimension(let dim): "dimension \(dim) is negative"
        case .dimensionTooLarge(let dim): "dimension \(dim) is too large"
        case .tooManyDimensions(let limit): "more than \(limit) dimensions"
        case .tooManyElements(let dims): "dimensions \(dims) multiply to more elements than can be counted"
        case .wrongDataLength(let expected, let found, let unit):
            "the dimensions ask for \(expected) \(unit) of data, the file has \(found)"
        case .conflictingData(let what): what
        case .unknownAttributeType(let code): "attribute type \(code) is not known"
        case .externalData:
            "the data is in another file, which is not supported; save the model with its data inside"
        case .unsupported(let what): "\(what) is not supported"
        }
    }
}

/// Text from a file as it may stand in a one-line message: control characters escaped, long text cut.
func quoted(_ text: String) -> String {
    let limit = 200
    let shown = text.unicodeScalars.count > limit ? String(text.unicodeScalars.prefix(limit)) + "…" : text
    return shown.debugDescription
}

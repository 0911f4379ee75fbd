/// A constant tensor of a model: its shape, and where in the file its values are.
///
/// Values stay in the file until asked for; a tensor keeps the mapping of the file alive. The shape was checked
/// against the length of the data when the file was opened, so `count` never promises more than the file has.
package struct ONNXTensor: Sendable {
    /// The field of the file that holds the values.
    enum Storage: Sendable {
        /// No values: a dimension is 0.
        case empty
        /// `raw_data`: little-endian elements in row-major order, at any alignment.
        case raw(Range<Int>)
        /// One of the typed repeated fields, in any number of pieces of the tensor's message.
        case typed(field: Int, message: Range<Int>)
    }

    /// Empty for the tensors of attributes.
    package let name: String
    /// Empty for a scalar. Never negative; at most `Int32.max` each.
    package let dims: [Int]
    package let elementType: ONNXElementType
    /// The number of elements, the product of `dims`.
    package let count: Int
    let storage: Storage
    let bytes: ModelBytes
}

extension ONNXTensor {
    /// Calls `body` with the values as they are in the file, without a copy, or gives nil when they are not in
    /// one piece (`float_data` and its like). The bytes are little-endian and may be **unaligned**.
    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result? {
        switch storage {
        case .empty: return try body(UnsafeRawBufferPointer(start: nil, count: 0))
        case .typed: return nil
        case .raw(let range):
            // The buffer points into memory that `bytes` owns.
            return try withExtendedLifetime(bytes) { try body(bytes.bytes(range)) }
        }
    }

    /// Copies the bytes `range` of the values, as they are in the file. For tensors that have them in one piece.
    package func copyBytes(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        guard case .raw(let all) = storage, range.lowerBound >= 0, range.upperBound <= all.count else {
            preconditionFailure("bytes \(range) of tensor \(name) are not in one piece")
        }
        bytes.copy(all.lowerBound + range.lowerBound..<all.lowerBound + range.upperBound, to: target)
    }

    /// Tells the kernel that the tensor's pages are not needed for now, as after repacking its values. A later
    /// read is valid and gets them from the file again. Nothing happens for a model in memory.
    package func discardPages() {
        if let range = fileRange { bytes.discard(range) }
    }

    private var fileRange: Range<Int>? {
        switch storage {
        case .empty: nil
        case .raw(let range), .typed(_, let range): range
        }
    }
}

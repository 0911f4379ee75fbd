extension ONNXTensor {
    /// The values in row-major order, as `Float`. float16, bfloat16 and float64 are converted (float64 rounds);
    /// other types throw `wrongElementType`.
    package func floats() throws(ONNXError) -> [Float] {
        try checkConvertsToFloat()
        var failure: ONNXError?
        let result = [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
            let all = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            do throws(ONNXError) {
                try copyFloats(into: all)
                initialized = count
            } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Whether `withUnsafeBytes` gives the values of `floats()` as they are, if not aligned.
    package var isRawFloat32: Bool { elementType == .float32 && isRaw }

    /// Writes the values of `floats()` to memory of the caller's, initialized or not, one for each element.
    package func copyFloats(into buffer: UnsafeMutableBufferPointer<Float>) throws(ONNXError) {
        try checkConvertsToFloat()
        try checkCount(buffer.count)
        switch elementType {
        case .float32 where isRaw:
            _ = withUnsafeBytes { UnsafeMutableRawBufferPointer(buffer).copyMemory(from: $0) }
        case .float32:
            try copyElements(as: UInt32.self, to: buffer) { Float(bitPattern: $0) }
        case .float16:
            try copyElements(as: UInt16.self, to: buffer) { Float(Float16(bitPattern: $0)) }
        case .bfloat16:
            try copyElements(as: UInt16.self, to: buffer) { Float(bitPattern: UInt32($0) << 16) }
        default:
            try copyElements(as: UInt64.self, to: buffer) { Float(Double(bitPattern: $0)) }
        }
    }

    /// The values in row-major order, as `Int64`, of any integer type or bool (0 and 1). An unsigned value of
    /// 2⁶³ or more throws `valueOutOfRange`; other types throw `wrongElementType`.
    package func int64s() throws(ONNXError) -> [Int64] {
        switch elementType {
        case .int64: return try integers { Int64(bitPattern: $0) }
        case .int32: return try integers { Int64($0 as Int32) }
        case .int16: return try integers { Int64($0 as Int16) }
        case .int8: return try integers { Int64($0 as Int8) }
        case .uint8: return try integers { Int64($0 as UInt8) }
        case .uint16: return try integers { Int64($0 as UInt16) }
        case .uint32: return try integers { Int64($0 as UInt32) }
        case .bool: return try integers { ($0 as UInt8) == 0 ? 0 : 1 }
        case .uint64:
            let values = try integers { Int64(bitPattern: $0) }
            if let index = values.firstIndex(where: { $0 < 0 }) {
                throw .valueOutOfRange(file: bytes.name, tensor: name, index: index, wanted: "int64")
            }
            return values
        default:
            throw .wrongElementType(
                file: bytes.name, tensor: name, found: elementType, wanted: "an integer type or bool")
        }
    }
}

extension ONNXTensor {
    private var isRaw: Bool {
        if case .typed = storage { false } else { true }
    }

    private func checkConvertsToFloat() throws(ONNXError) {
        switch elementType {
        case .float32, .float16, .bfloat16, .float64: return
        default:
            throw .wrongElementType(
                file: bytes.name, tensor: name, found: elementType,
                wanted: "float32, float16, bfloat16 or float64")
        }
    }

    private func checkCount(_ buffer: Int) throws(ONNXError) {
        guard buffer == count else {
            throw .wrongCount(file: bytes.name, tensor: name, elements: count, buffer: buffer)
        }
    }

    private func integers<Element: FixedWidthInteger & BitwiseCopyable>(
        _ convert: (Element) -> Int64
    ) throws(ONNXError) -> [Int64] {
        var result = [Int64](repeating: 0, count: count)
        var failure: ONNXError?
        result.withUnsafeMutableBufferPointer { buffer in
            do throws(ONNXError) {
                try copyElements(as: Element.self, to: buffer, convert)
            } catch { failure = error }
        }
        if let failure { throw failure }
        return result
    }

    /// Writes each element, read as `Element` bits, through `convert`. `target` has `count` elements.
    private func copyElements<Element: FixedWidthInteger & BitwiseCopyable, Value: BitwiseCopyable>(
        as type: Element.Type, to target: UnsafeMutableBufferPointer<Value>, _ convert: (Element) -> Value
    ) throws(ONNXError) {
        switch storage {
        case .empty: return
        case .raw(let range):
            let raw = bytes.bytes(range)
            for index in 0..<count {
                let element = raw.loadUnaligned(
                    fromByteOffset: index * MemoryLayout<Element>.size, as: Element.self)
                target[index] = convert(Element(littleEndian: element))
            }
        case .typed(let field, let message):
            do throws(Fault) {
                try copyTyped(field: field, message: message, to: target, convert)
            } catch {
                throw error.within("tensor \(quoted(name))").error(file: bytes.name)
            }
        }
    }

    /// The file may have changed since it was opened, so every read and write is checked again.
    private func copyTyped<Element: FixedWidthInteger & BitwiseCopyable, Value: BitwiseCopyable>(
        field: Int, message: Range<Int>, to target: UnsafeMutableBufferPointer<Value>,
        _ convert: (Element) -> Value
    ) throws(Fault) {
        var reader = WireReader(bytes, message)
        var written = 0
        func append(_ element: Element) {
            guard written < target.count else { return }
            target[written] = convert(element)
            written += 1
        }
        while let tag = try reader.nextTag() {
            guard tag.field == field else {
                try reader.skip(tag)
                continue
            }
            switch field {
            case TensorField.floatData, TensorField.doubleData:
                let size = MemoryLayout<Element>.size
                let raw = bytes.bytes(try reader.fixedRange(tag, size: size))
                for start in stride(from: 0, to: raw.count, by: size) {
                    append(Element(littleEndian: raw.loadUnaligned(fromByteOffset: start, as: Element.self)))
                }
            default:
                // Small types are widened in int32_data; halves are kept there as their bits.
                try reader.eachInt(tag) { append(Element(truncatingIfNeeded: $0)) }
            }
        }
        guard written == target.count else {
            throw Fault(
                at: message.lowerBound,
                .wrongDataLength(expected: target.count, found: written, unit: "elements"))
        }
    }
}

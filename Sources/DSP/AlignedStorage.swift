/// A fixed number of numbers at a 64-byte boundary, zero at first: what the C kernels work on.
///
/// Owned by one processor, or immutable once filled and then shared.
final class AlignedStorage<Scalar: BitwiseCopyable & BinaryFloatingPoint> {
    let count: Int
    /// SAFETY: valid for `count` elements, initialised, for as long as this object lives. Whoever
    /// takes it keeps the object alive across the use.
    let pointer: UnsafeMutablePointer<Scalar>

    init(count: Int) {
        self.count = count
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Scalar>.stride, alignment: 64)
        pointer = bytes.bindMemory(to: Scalar.self, capacity: max(count, 1))
        pointer.initialize(repeating: 0, count: max(count, 1))
    }

    deinit { pointer.deallocate() }

    /// All of it.
    var buffer: UnsafeMutableBufferPointer<Scalar> { prefix(count) }

    /// The first `count` numbers, which must exist.
    func prefix(_ count: Int) -> UnsafeMutableBufferPointer<Scalar> {
        precondition(count <= self.count)
        return UnsafeMutableBufferPointer(start: pointer, count: count)
    }
}

// SAFETY: a bare block of numbers. Its owners either have it to themselves (a `~Copyable` processor
// that is moved, never shared, between threads) or write it once before sharing it.
extension AlignedStorage: @unchecked Sendable {}

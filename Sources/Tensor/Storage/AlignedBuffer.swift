import Glibc

/// The owner of a block of floats, aligned to a cache line.
///
/// Everything in this target that holds numbers holds one of these; raw pointers leave it only
/// inside the target, for CKernels and the plain form. Where memory is out the process ends, as it
/// does where Swift's own arrays want more than there is.
// SAFETY: weights are written once, before they are shared, and only read after that; every other
// buffer belongs to one stream, whose owner keeps it to one thread at a time.
package final class AlignedBuffer: @unchecked Sendable {
    package let count: Int
    let base: UnsafeMutablePointer<Float>

    /// Floats a cache line.
    static let lineFloats = 16

    /// - Parameter isZeroed: false where every element is written before it is read.
    package init(count: Int, isZeroed: Bool = true) {
        precondition(count >= 0, "a buffer's count is not negative")
        self.count = count
        // Whole lines, so that a vector load of the last element stays inside.
        let lines = (count + Self.lineFloats - 1) / Self.lineFloats + 1
        let bytes = lines * Self.lineFloats * MemoryLayout<Float>.stride
        var raw: UnsafeMutableRawPointer?
        // Blocks of megabytes are put on huge-page borders: page faults and TLB misses cost more
        // than the rounding.
        let isLarge = bytes >= 1 << 20
        let alignment = isLarge ? 2 << 20 : 64
        guard posix_memalign(&raw, alignment, bytes) == 0, let raw else {
            fatalError("out of memory: \(bytes) bytes were asked for")
        }
        if isLarge { madvise(raw, bytes, MADV_HUGEPAGE) }
        if isZeroed { memset(raw, 0, bytes) }
        base = raw.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
    }

    package convenience init(_ values: some Collection<Float>) {
        self.init(count: values.count)
        for (i, value) in values.enumerated() { base[i] = value }
    }

    deinit { free(base) }

    /// The contents as an array, for tests and diagnostics.
    package var array: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }
}

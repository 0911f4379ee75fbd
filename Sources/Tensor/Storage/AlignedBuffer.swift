import CKernels
import Glibc
import Synchronization

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
    /// What the block is a part of; nil where it was allocated by itself.
    let region: WeightRegion?

    /// Floats a cache line.
    static let lineFloats = 16

    /// - Parameter isZeroed: false where every element is written before it is read.
    package init(count: Int, isZeroed: Bool = true) {
        precondition(count >= 0, "a buffer's count is not negative")
        self.count = count
        // Whole lines, so that a vector load of the last element stays inside.
        let lines = (count + Self.lineFloats - 1) / Self.lineFloats + 1
        let bytes = lines * Self.lineFloats * MemoryLayout<Float>.stride
        // Blocks of megabytes are put on huge pages: page faults and TLB misses cost more than the rounding.
        var raw: UnsafeMutableRawPointer?
        if bytes >= 1 << 20 { raw = syrinx_large_block(bytes) } else { posix_memalign(&raw, 64, bytes) }
        guard let raw else { fatalError("out of memory: \(bytes) bytes were asked for") }
        if isZeroed { memset(raw, 0, bytes) }
        base = raw.bindMemory(to: Float.self, capacity: bytes / MemoryLayout<Float>.stride)
        region = nil
    }

    /// A block for the weights of a layer; what it holds is undefined.
    ///
    /// Such blocks lie one behind the other in regions on huge pages: a block of its own ends in a megabyte of
    /// small ones.
    init(weights count: Int) {
        precondition(count >= 0, "a buffer's count is not negative")
        self.count = count
        (base, region) = WeightRegion.allocate(count + Self.lineFloats)
    }

    package convenience init(_ values: some Collection<Float>) {
        self.init(count: values.count)
        for (i, value) in values.enumerated() { base[i] = value }
    }

    deinit { if region == nil { free(base) } }

    /// The contents as an array, for tests and diagnostics.
    package var array: [Float] { Array(UnsafeBufferPointer(start: base, count: count)) }
}

/// Memory for many blocks, given back with the last of them. Voices that are loaded by turns may share one.
// SAFETY: `used` is only touched under the lock of `current`; the blocks do not overlap.
final class WeightRegion: @unchecked Sendable {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    private var used = 0

    /// Address space; memory is what is touched of it.
    private static let leastSize = 32 << 20
    private static let hugePage = 2 << 20
    /// What the next block is cut from, as long as one of its blocks lives.
    private struct Current { weak var region: WeightRegion? }
    private static let current = Mutex(Current())

    private init(size: Int) {
        self.size = (max(size, Self.leastSize) + Self.hugePage - 1) / Self.hugePage * Self.hugePage
        guard let raw = syrinx_large_block(self.size) else {
            fatalError("out of memory: \(self.size) bytes were asked for")
        }
        base = raw
    }

    deinit { free(base) }

    /// Whole cache lines with room for `count` floats.
    static func allocate(_ count: Int) -> (UnsafeMutablePointer<Float>, WeightRegion) {
        let line = AlignedBuffer.lineFloats * MemoryLayout<Float>.stride
        let bytes = (count * MemoryLayout<Float>.stride + line - 1) / line * line
        return current.withLock { current in
            let region: WeightRegion
            if let present = current.region, present.size - present.used >= bytes {
                region = present
            } else {
                region = WeightRegion(size: bytes)
                // One that a large block fills leaves the room in the present one alone.
                if bytes < leastSize { current.region = region }
            }
            let start = region.base + region.used
            region.used += bytes
            return (start.bindMemory(to: Float.self, capacity: count), region)
        }
    }
}

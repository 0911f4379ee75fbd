import Glibc

/// Counts the objects that Swift allocates: arrays, classes, boxes of closures and of captured variables.
///
/// Through the hook that the Swift runtime has for Instruments. Blocks that are asked of `malloc` directly,
/// as unsafe pointers do, are not seen.
package enum AllocationCount {
    private typealias Allocate =
        @convention(c) (UnsafeRawPointer?, Int, Int) -> UnsafeMutableRawPointer?

    // SAFETY: set once, before the hook that reads it.
    nonisolated(unsafe) private static var original: Allocate?
    // SAFETY: `count` is touched by the watched thread alone; `thread` by whoever calls `during`, which
    // one test at a time may do.
    nonisolated(unsafe) private static var thread: pthread_t?
    nonisolated(unsafe) private static var count = 0

    /// Whether the runtime has the hook: a shared one has.
    package static let isAvailable: Bool = {
        let program = dlopen(nil, RTLD_NOW)
        guard let hook = dlsym(program, "_swift_allocObject")?.assumingMemoryBound(to: Allocate.self),
            let isEnabled = dlsym(
                program, "_swift_enableSwizzlingOfAllocationAndRefCountingFunctions_forInstrumentsOnly")
        else { return false }
        original = hook.pointee
        hook.pointee = { metadata, size, alignmentMask in
            if let thread = AllocationCount.thread, pthread_equal(thread, pthread_self()) != 0 {
                AllocationCount.count += 1
            }
            return AllocationCount.original.unsafelyUnwrapped(metadata, size, alignmentMask)
        }
        isEnabled.storeBytes(of: 1, as: UInt8.self)
        return true
    }()

    /// The objects that this thread allocates while `body` runs. For one test at a time.
    package static func during(_ body: () -> Void) -> Int {
        precondition(isAvailable, "this Swift runtime does not tell of allocations")
        count = 0
        thread = pthread_self()
        body()
        thread = nil
        return count
    }
}

import Foundation

/// SplitMix64: random tests print the seed and can be run again with it.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}

/// Calls `body` with the writing end of a pipe and returns all that it wrote, at most what a pipe holds (64 KiB).
func throughPipe(_ body: (Int32) throws -> Void) throws -> [UInt8] {
    let pipe = Pipe()
    try body(pipe.fileHandleForWriting.fileDescriptor)
    try pipe.fileHandleForWriting.close()
    return [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
}

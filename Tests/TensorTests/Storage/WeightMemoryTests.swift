import TestSupport
import Testing

@testable import Tensor

@Suite("Blocks of weights")
struct WeightMemoryTests {
    @Test("lie on cache lines and never in one another, from any threads and in any order of release")
    func regions() async {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(task))
                    var kept: [(AlignedBuffer, Float)] = []
                    for i in 0..<400 {
                        // Now and then one that no region has room for.
                        let count = i % 100 == 99 ? 9_000_000 : Int.random(in: 0...60_000, using: &random)
                        let buffer = AlignedBuffer(weights: count)
                        guard UInt(bitPattern: buffer.base) % 64 == 0, buffer.count == count else { return false }
                        let mark = Float(task * 1000 + i)
                        for j in 0..<count { buffer.base[j] = mark }
                        kept.append((buffer, mark))
                        if kept.count > 20 {
                            let (old, value) = kept.remove(at: Int.random(in: 0..<kept.count, using: &random))
                            guard old.array.allSatisfy({ $0 == value }) else { return false }
                        }
                    }
                    return kept.allSatisfy { buffer, value in buffer.array.allSatisfy { $0 == value } }
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
    }

    @Test(
        "are given back with the last of their region, be it the newest one or one for a single large block",
        arguments: [7 << 20, 1000, 20 << 20])
    func release(count: Int) {
        // Another suite's block may be cut from the same region, and keep it.
        let isReleased = (0..<20).contains { _ in
            weak var region: WeightRegion?
            do {
                let buffer = AlignedBuffer(weights: count)
                region = buffer.region
                guard region != nil, buffer.count == count else { return false }
            }
            return region == nil
        }
        #expect(isReleased)
    }
}

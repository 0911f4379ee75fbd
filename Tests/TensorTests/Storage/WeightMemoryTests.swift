import Foundation
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

    @Test("are given back with the last of their region")
    func release() throws {
        func resident() throws -> Int {
            let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
            return try #require(Int(fields[1])) * Int(getpagesize())
        }
        let size = 64 << 20
        for _ in 0..<20 {
            let buffer = AlignedBuffer(weights: size / 4)
            for j in stride(from: 0, to: size / 4, by: 1024) { buffer.base[j] = 1 }
        }
        // Twenty of them held would be 1.3 GB; other suites run beside this one.
        #expect(try resident() < 900 << 20)
    }
}

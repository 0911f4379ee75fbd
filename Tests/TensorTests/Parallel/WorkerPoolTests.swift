import Synchronization
import TestSupport
import Testing

@testable import Tensor

@Suite("A pool of threads")
struct WorkerPoolTests {
    /// How often each index was run.
    private final class Tally: Sendable {
        private let counts: [Counter]
        init(_ count: Int) { counts = (0..<count).map { _ in Counter() } }
        func add(_ index: Int) { counts[index].value.add(1, ordering: .relaxed) }
        func isEach(_ times: Int) -> Bool {
            counts.allSatisfy { $0.value.load(ordering: .relaxed) == times }
        }

        private final class Counter: Sendable {
            let value = Atomic<Int>(0)
        }
    }

    @Test("runs every index once, for any number of threads", arguments: 1...8)
    func once(threads: Int) {
        let pool = WorkerPool(threads: threads)
        #expect(pool.threads == threads)
        for count in [0, 1, 2, 3, 7, 8, 9, 64, 1000] {
            let tally = Tally(count)
            for _ in 0..<20 { pool.run(count) { tally.add($0) } }
            #expect(tally.isEach(20), "\(count) indices")
        }
    }

    @Test("has done everything when `run` returns, job after job", arguments: [2, 3, 8])
    func ordering(threads: Int) {
        let pool = WorkerPool(threads: threads)
        let values = window([Float](repeating: 0, count: 50), channels: 1)
        // Plain memory: each job reads what the one before wrote, on whatever thread.
        let base = values.pointer(at: 0)
        for _ in 0..<3_000 { pool.run(50) { base[$0] += 1 } }
        #expect(contents(values) == [Float](repeating: 3_000, count: 50))
    }

    @Test("may be used from inside its own work", arguments: [1, 2, 4])
    func nested(threads: Int) {
        let pool = WorkerPool(threads: threads)
        let tally = Tally(12 * 12)
        for _ in 0..<50 {
            pool.run(12) { i in pool.run(12) { j in tally.add(12 * i + j) } }
        }
        #expect(tally.isEach(50))
    }

    @Test("may be used by several callers at once", arguments: [1, 2, 4])
    func concurrentCallers(threads: Int) async {
        let pool = WorkerPool(threads: threads)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let tally = Tally(40)
                    for _ in 0..<300 { pool.run(40) { tally.add($0) } }
                    return tally.isEach(300)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("may come and go by the hundred, used or not")
    func manyPools() {
        for round in 0..<300 {
            let pool = WorkerPool(threads: 1 + round % 8)
            guard round % 3 > 0 else { continue }
            let tally = Tally(16)
            pool.run(16) { tally.add($0) }
            #expect(tally.isEach(1))
        }
    }

    @Test("wakes up after a rest")
    func rest() async throws {
        let pool = WorkerPool(threads: 3)
        for _ in 0..<5 {
            let tally = Tally(30)
            pool.run(30) { tally.add($0) }
            #expect(tally.isEach(1))
            // Longer than the threads spin.
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    @Test("takes any number of threads for at least one", arguments: [-3, 0])
    func fewThreads(threads: Int) {
        let pool = WorkerPool(threads: threads)
        #expect(pool.threads == 1)
        let tally = Tally(4)
        pool.run(4) { tally.add($0) }
        #expect(tally.isEach(1))
    }
}

import CKernels
import Synchronization
import TestSupport
import Testing

@testable import Tensor

@Suite("A pipeline of stations")
struct PipelineTests {
    /// Who is where: each station's steps done so far, and whether it is at work.
    private final class Log: Sendable {
        struct Station {
            var done = 0
            var isBusy = false
        }

        private let stations: Mutex<[Station]>
        private let faults = Mutex<[String]>([])

        init(_ count: Int) { stations = Mutex(Array(repeating: Station(), count: count)) }

        func enter(_ station: Int, _ step: Int) {
            stations.withLock { all in
                if all[station].isBusy { fault("station \(station) runs twice at once") }
                if all[station].done != step {
                    fault("station \(station) takes \(step) after \(all[station].done)")
                }
                if station > 0, all[station - 1].done <= step {
                    fault("station \(station) runs ahead in step \(step)")
                }
                all[station].isBusy = true
            }
        }

        func leave(_ station: Int) {
            stations.withLock { all in
                all[station].isBusy = false
                all[station].done += 1
            }
        }

        private func fault(_ text: String) { faults.withLock { $0.append(text) } }

        func check(total: Int) {
            #expect(stations.withLock { $0.reduce(0) { $0 + $1.done } == total && !$0.contains { $0.isBusy } })
            #expect(faults.withLock { $0 } == [])
        }

        func check(steps: Int) {
            #expect(stations.withLock { $0.allSatisfy { $0.done == steps && !$0.isBusy } })
            #expect(faults.withLock { $0 } == [])
        }
    }

    /// A chain: task k of a station follows task k of the one before, at most `room` ahead of the next one's.
    private final class Chain: PipelineWork {
        let stations: Int
        var goal = 0
        /// Tasks that all but the last station may be ahead of the goal.
        var ahead = 0
        let room: Int
        let flag: CancelFlag
        let body: (_ station: Int, _ task: Int) -> Void

        init(stations: Int, room: Int = 3, flag: CancelFlag = CancelFlag(), _ body: @escaping (Int, Int) -> Void) {
            self.stations = stations
            self.room = room
            self.flag = flag
            self.body = body
        }

        func isDone(completed: [Int]) -> Bool {
            flag.isSet || completed[stations - 1] == goal
        }

        func isReady(_ station: Int, completed: [Int]) -> Bool {
            let task = completed[station]
            let isLast = station == stations - 1
            return task < goal + (isLast ? 0 : ahead)
                && (station == 0 || completed[station - 1] > task)
                && (isLast || task < completed[station + 1] + room)
        }

        func run(_ station: Int, task: Int) { body(station, task) }
    }

    @Test("runs each station once a task, in order, one at a time, behind the one before", arguments: 1...5)
    func laws(threads: Int) {
        let pool = WorkerPool(threads: threads)
        for stations in 1...6 {
            let pipeline = Pipeline(stations: stations)
            let log = Log(stations)
            let chain = Chain(stations: stations) { station, task in
                log.enter(station, task)
                log.leave(station)
            }
            // One pipeline, run again and again.
            for steps in [0, 1, 2, 5, 40, 3] {
                chain.goal += steps
                pipeline.run(chain, pool: pool)
                log.check(steps: chain.goal)
                #expect((0..<stations).allSatisfy { pipeline.completed($0) == chain.goal })
            }
        }
    }

    @Test("takes up what a run did ahead of its goal", arguments: 1...4)
    func ahead(threads: Int) {
        let pool = WorkerPool(threads: threads)
        let pipeline = Pipeline(stations: 4)
        let log = Log(4)
        let chain = Chain(stations: 4) { station, task in
            log.enter(station, task)
            for _ in 0..<100 { syrinx_relax() }
            log.leave(station)
        }
        chain.ahead = 2
        for _ in 0..<50 {
            chain.goal += 3
            pipeline.run(chain, pool: pool)
            #expect(pipeline.completed(3) == chain.goal)
            #expect((0..<3).allSatisfy { (chain.goal...chain.goal + 2).contains(pipeline.completed($0)) })
        }
        chain.ahead = 0
        pipeline.run(chain, pool: pool)
        chain.goal += 2
        pipeline.run(chain, pool: pool)
        log.check(steps: chain.goal)
    }

    @Test("is left by all threads after the tasks that they are at, once its work says so", arguments: 1...4)
    func cancelled(threads: Int) {
        let pool = WorkerPool(threads: threads)
        for stations in 1...5 {
            for end in [1, 2, 17, 60] {
                let pipeline = Pipeline(stations: stations)
                let log = Log(stations)
                let flag = CancelFlag()
                let begun = Atomic<Int>(0)
                let work = Chain(stations: stations, flag: flag) { station, task in
                    log.enter(station, task)
                    if begun.add(1, ordering: .sequentiallyConsistent).newValue == end { flag.set() }
                    for _ in 0..<100 { syrinx_relax() }
                    log.leave(station)
                }
                work.goal = 1000
                pipeline.run(work, pool: pool)
                // The other threads may have been handed one each.
                let count = begun.load(ordering: .sequentiallyConsistent)
                #expect((end..<end + threads).contains(count), "\(stations) stations")
                #expect((0..<stations).reduce(0) { $0 + pipeline.completed($1) } == count)
                log.check(total: count)
            }
        }
    }

    /// What a decoder does: each station carries a state from step to step in plain memory, and hands
    /// a number on. Some take longer than others, at random.
    @Test("computes the same on any number of threads", arguments: testSeeds(1...6))
    func sameResult(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (stations, steps) = (Int.random(in: 1...6, using: &random), 400)
        let waits = (0..<stations * steps).map { _ in Int.random(in: 0...300, using: &random) }
        var results: [[Float]] = []
        for threads in [1, 2, 3, 4] {
            let handed = RowWindow(rows: steps, channels: 1)
            handed.write([Float](repeating: 1, count: steps).span, at: 0)
            let carried = RowWindow(rows: stations, channels: 1)
            carried.zero(rows: 0..<stations)
            // Without atomics: only the pipeline's order keeps these apart.
            let (value, state) = (handed.pointer(at: 0), carried.pointer(at: 0))
            let chain = Chain(stations: stations) { station, step in
                var turns = waits[station * steps + step]
                while turns > 0 { turns -= 1 }
                state[station] = state[station] * 0.9 + value[step] + Float(station)
                value[step] = state[station] * 0.25
            }
            chain.goal = steps
            Pipeline(stations: stations).run(chain, pool: WorkerPool(threads: threads))
            results.append(contents(handed) + contents(carried))
        }
        for result in results { #expect(result.hasSameBits(as: results[0]), "seed \(seed)") }
        #expect(results[0].contains { $0 != 0 })
    }

    @Test("works alone where the pool is in use")
    func busyPool() {
        let pool = WorkerPool(threads: 3)
        pool.run(3) { _ in
            let log = Log(4)
            let chain = Chain(stations: 4) { station, step in
                log.enter(station, step)
                log.leave(station)
            }
            chain.goal = 25
            Pipeline(stations: 4).run(chain, pool: pool)
            log.check(steps: 25)
        }
    }
}

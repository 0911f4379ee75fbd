import Synchronization
import TestSupport
import Testing

@testable import Tensor

@Suite("A pipeline of stations")
struct WavefrontTests {
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

        func check(steps: Int) {
            #expect(stations.withLock { $0.allSatisfy { $0.done == steps && !$0.isBusy } })
            #expect(faults.withLock { $0 } == [])
        }
    }

    @Test("runs each station once a step, in order, one at a time, behind the one before", arguments: 1...5)
    func laws(threads: Int) {
        let pool = WorkerPool(threads: threads)
        for stations in 1...6 {
            let wavefront = Wavefront(stations: stations)
            // One pipeline, used again and again.
            for steps in [0, 1, 2, 5, 40, 3] {
                let log = Log(stations)
                wavefront.run(steps: steps, pool: pool) { station, step in
                    log.enter(station, step)
                    log.leave(station)
                }
                log.check(steps: steps)
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
            let pool = WorkerPool(threads: threads)
            let wavefront = Wavefront(stations: stations)
            let handed = RowWindow(rows: steps, channels: 1)
            handed.write([Float](repeating: 1, count: steps).span, at: 0)
            let carried = RowWindow(rows: stations, channels: 1)
            carried.zero(rows: 0..<stations)
            // Without atomics: only the pipeline's order keeps these apart.
            let (value, state) = (handed.pointer(at: 0), carried.pointer(at: 0))
            wavefront.run(steps: steps, pool: pool) { station, step in
                var turns = waits[station * steps + step]
                while turns > 0 { turns -= 1 }
                state[station] = state[station] * 0.9 + value[step] + Float(station)
                value[step] = state[station] * 0.25
            }
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
            Wavefront(stations: 4).run(steps: 25, pool: pool) { station, step in
                log.enter(station, step)
                log.leave(station)
            }
            log.check(steps: 25)
        }
    }
}

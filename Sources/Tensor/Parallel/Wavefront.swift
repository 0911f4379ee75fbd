import CKernels
import Synchronization

/// Runs a pipeline's stations over a number of steps on several threads.
///
/// Station s of step j runs after station s − 1 of step j and station s of step j − 1, so each
/// station sees the steps in order and one at a time: what they compute does not depend on the
/// number of threads. Late stations go first, which keeps what waits between them small.
package struct Wavefront: Sendable {
    private final class Progress: Sendable {
        struct Counts {
            var claimed: [Int]
            var completed: [Int]
        }

        let counts: Mutex<Counts>

        init(stations: Int) {
            counts = Mutex(
                Counts(
                    claimed: Array(repeating: 0, count: stations),
                    completed: Array(repeating: 0, count: stations)))
        }
    }

    private let stations: Int
    private let progress: Progress

    package init(stations: Int) {
        self.stations = stations
        progress = Progress(stations: stations)
    }

    /// Calls `body(station, step)` for all stations and steps. One call at a time.
    package func run(steps: Int, pool: WorkerPool, _ body: (_ station: Int, _ step: Int) -> Void) {
        guard steps > 0, stations > 0 else { return }
        guard pool.threads > 1 else {
            for step in 0..<steps {
                for station in 0..<stations { body(station, step) }
            }
            return
        }
        progress.counts.withLock { counts in
            for s in 0..<stations {
                counts.claimed[s] = 0
                counts.completed[s] = 0
            }
        }
        pool.run(min(pool.threads, stations, steps)) { _ in
            while true {
                switch claim(steps: steps) {
                case .task(let station, let step):
                    body(station, step)
                    progress.counts.withLock { $0.completed[station] += 1 }
                case .wait: syrinx_relax()
                case .done: return
                }
            }
        }
    }

    private enum Claim {
        case task(station: Int, step: Int)
        case wait
        case done
    }

    private func claim(steps: Int) -> Claim {
        progress.counts.withLock { counts in
            var isDone = true
            for station in (0..<stations).reversed() {
                let step = counts.claimed[station]
                guard step < steps else { continue }
                isDone = false
                let isFree = counts.completed[station] == step
                let isFed = station == 0 || counts.completed[station - 1] > step
                if isFree && isFed {
                    counts.claimed[station] = step + 1
                    return .task(station: station, step: step)
                }
            }
            return isDone ? .done : .wait
        }
    }
}

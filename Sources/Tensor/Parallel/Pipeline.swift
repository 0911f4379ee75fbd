import CKernels
import Glibc
import Synchronization

/// What a pipeline's stations do, and when they may.
///
/// Each station works off its tasks 0, 1, 2, … in order and one at a time, on any thread: what they
/// compute does not depend on the number of threads as long as a task only touches what its station
/// carries and what `isReady` says is there.
package protocol PipelineWork: AnyObject {
    /// Whether a station's next task, number `completed[station]`, may start.
    ///
    /// - Parameter completed: the tasks that each station has done.
    func isReady(_ station: Int, completed: [Int]) -> Bool
    /// Whether a run is over; tasks that are under way are still brought to their end, and no thread begins
    /// another. It may become true at any moment, as when the work is cancelled: what a station did remains as it
    /// is.
    func isDone(completed: [Int]) -> Bool
    /// Does a task.
    func run(_ station: Int, task: Int)
}

/// Hands a pipeline's tasks to the threads of a pool. Late stations go first, which keeps what waits
/// between them small. One call at a time.
package final class Pipeline {
    private struct Progress {
        var isBusy: [Bool]
        var completed: [Int]
    }

    private let stations: Int
    private let progress: Mutex<Progress>
    private var work: (any PipelineWork)?

    package init(stations: Int) {
        self.stations = stations
        progress = Mutex(
            Progress(
                isBusy: Array(repeating: false, count: stations),
                completed: Array(repeating: 0, count: stations)))
    }

    /// The tasks that a station has done since the pipeline was made.
    func completed(_ station: Int) -> Int { progress.withLock { $0.completed[station] } }

    /// Works until `work` says that it is done.
    ///
    /// Between calls the stations keep their place, so a run takes up where the last one ended.
    package func run(_ work: any PipelineWork, pool: WorkerPool) {
        self.work = work
        defer { self.work = nil }
        pool.run(min(pool.threads, stations), self)
    }

    private enum Claim {
        case task(station: Int, number: Int)
        case wait
        case done
    }

    private func claim(for work: any PipelineWork) -> Claim {
        progress.withLock { progress in
            if work.isDone(completed: progress.completed) { return .done }
            for station in progress.completed.indices.reversed() where !progress.isBusy[station] {
                guard work.isReady(station, completed: progress.completed) else { continue }
                progress.isBusy[station] = true
                return .task(station: station, number: progress.completed[station])
            }
            precondition(progress.isBusy.contains(true), "a pipeline that is not done has a task that is ready")
            return .wait
        }
    }
}

extension Pipeline: SharedWork {
    package func run(_ index: Int) {
        guard let work else { return }
        var looks = 0
        while true {
            switch claim(for: work) {
            case .task(let station, let number):
                looks = 0
                work.run(station, task: number)
                progress.withLock { progress in
                    progress.completed[station] += 1
                    progress.isBusy[station] = false
                }
            case .wait:
                // Some hundred nanoseconds between two looks, which leaves the lock to those who work; and soon
                // the processor to whoever else wants it.
                for _ in 0..<16 { syrinx_relax() }
                looks += 1
                if looks > 64 { sched_yield() }
            case .done: return
            }
        }
    }
}

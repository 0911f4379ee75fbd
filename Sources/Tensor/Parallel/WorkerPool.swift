import CKernels
import Glibc
import Synchronization

/// Work of which a pool's threads take their shares.
package protocol SharedWork: AnyObject {
    /// Does share number `index`; called on several threads at once.
    func run(_ index: Int)
}

/// A share of some work as a C function: what the shares have in common, and the share's number.
typealias SharedTask = @convention(c) (UnsafeMutableRawPointer?, Int32) -> Void

/// Threads that share the work of one operation.
///
/// `run` hands out the indices 0 ..< count to the calling thread and to the pool's own; what an
/// index does must not depend on which thread does it, so results are the same for any number
/// of threads. A pool that is in use by another caller lets the second one work alone.
package final class WorkerPool: Sendable {
    /// Threads that work, the caller's included.
    package let threads: Int
    private let shared: Shared

    /// - Parameter threads: at least 1; 1 starts no thread.
    package init(threads: Int) {
        self.threads = max(1, threads)
        shared = Shared()
        for _ in 1..<self.threads { shared.startWorker() }
    }

    deinit { shared.stop() }

    /// Calls `body` once with each of 0 ..< count, in any order, on several threads at once.
    ///
    /// `body` may write shared memory only where no other index reads or writes.
    package func run(_ count: Int, _ body: (Int) -> Void) {
        guard count > 1, threads > 1, shared.lockForCaller() else {
            for i in 0..<count { body(i) }
            return
        }
        withoutActuallyEscaping(body) { shared.run(count, .closure($0)) }
        shared.unlockForCaller()
    }

    /// The same for an object, which allocates nothing.
    package func run(_ count: Int, _ work: any SharedWork) {
        guard count > 1, threads > 1, shared.lockForCaller() else {
            for i in 0..<count { work.run(i) }
            return
        }
        shared.run(count, .object(work))
        shared.unlockForCaller()
    }

    /// The same for a function that captures nothing, and so allocates nothing: it is given `context`.
    func run(_ count: Int, _ context: UnsafeMutableRawPointer?, _ task: @escaping SharedTask) {
        guard count > 1, threads > 1, shared.lockForCaller() else {
            for i in 0..<count { task(context, Int32(i)) }
            return
        }
        shared.run(count, .function(task, context))
        shared.unlockForCaller()
    }

    /// The calling thread alone.
    package static let alone = WorkerPool(threads: 1)
}

extension WorkerPool {
    /// Calls `body` with pieces of `rows`, one for each thread, where they are long enough to be worth it.
    ///
    /// For work on each row by itself, whose result does not depend on the cut.
    package func runRows(_ rows: Range<Int>, atLeast least: Int = 16, _ body: (Range<Int>) -> Void) {
        let cut = RowCut(rows, pieces: min(threads, rows.count / max(1, least)))
        run(cut.pieces) { body(cut[$0]) }
    }
}

/// Rows in about equal pieces.
struct RowCut {
    let rows: Range<Int>
    let pieces: Int

    init(_ rows: Range<Int>, pieces: Int) {
        self.rows = rows
        self.pieces = max(1, pieces)
    }

    subscript(index: Int) -> Range<Int> {
        rows.lowerBound + rows.count * index / pieces..<rows.lowerBound + rows.count * (index + 1) / pieces
    }
}

private enum Job {
    case closure((Int) -> Void)
    case object(any SharedWork)
    case function(SharedTask, UnsafeMutableRawPointer?)
}

/// What the pool's threads and its callers share.
///
/// `ticket` is odd while a job is open and even between jobs. A worker enters a job by adding
/// itself to `inside` and looking at the ticket again; the caller closes the job by making the
/// ticket even and waiting until nobody is inside.
// SAFETY: `job` and `count` are written only while the ticket is even and `inside` is 0, by the
// one caller that holds `isBusy`, and read only by those inside an open job. Both sides write
// their own word before they read the other's, in sequentially consistent order, so a worker
// that enters and a caller that closes cannot both miss each other.
private final class Shared: @unchecked Sendable {
    private let isBusy = Atomic<Bool>(false)
    private let ticket = Atomic<UInt32>(0)
    private let next = Atomic<Int>(0)
    private let inside = Atomic<Int>(0)
    private let sleepers = Atomic<Int>(0)
    private let isStopping = Atomic<Bool>(false)
    private var job: Job?
    private var count = 0
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        pthread_cond_destroy(condition)
        mutex.deallocate()
        condition.deallocate()
    }

    func lockForCaller() -> Bool {
        isBusy.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
    }

    func unlockForCaller() { isBusy.store(false, ordering: .releasing) }

    func run(_ count: Int, _ job: Job) {
        self.job = job
        self.count = count
        next.store(0, ordering: .relaxed)
        ticket.add(1, ordering: .sequentiallyConsistent)
        wake()
        work()
        ticket.add(1, ordering: .sequentiallyConsistent)
        while inside.load(ordering: .sequentiallyConsistent) != 0 { syrinx_relax() }
        self.job = nil
    }

    private func work() {
        guard let job else { return }
        let count = self.count
        while true {
            let i = next.add(1, ordering: .relaxed).oldValue
            if i >= count { return }
            switch job {
            case .closure(let body): body(i)
            case .object(let work): work.run(i)
            case .function(let task, let context): task(context, Int32(i))
            }
        }
    }

    func startWorker() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self).toOpaque()
        let status = pthread_create(
            &thread, nil,
            { raw in
                if let raw { Unmanaged<Shared>.fromOpaque(raw).takeRetainedValue().workerMain() }
                return nil
            }, context)
        if status == 0 {
            pthread_detach(thread)
        } else {
            // The work is then shared among fewer threads.
            Unmanaged<Shared>.fromOpaque(context).release()
        }
    }

    func stop() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        wake()
    }

    private func workerMain() {
        var seen: UInt32 = 0
        while let open = waitForJob(after: seen) {
            seen = open
            inside.add(1, ordering: .sequentiallyConsistent)
            if ticket.load(ordering: .sequentiallyConsistent) == open { work() }
            inside.subtract(1, ordering: .sequentiallyConsistent)
        }
    }

    /// The ticket of an open job other than `seen`, or nil when the pool ends.
    ///
    /// Spins for some ten microseconds, as the next operation of a forward pass follows at once,
    /// then sleeps.
    private func waitForJob(after seen: UInt32) -> UInt32? {
        for _ in 0..<2000 {
            if let open = openTicket(after: seen) { return open }
            syrinx_relax()
        }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        sleepers.add(1, ordering: .sequentiallyConsistent)
        defer { sleepers.subtract(1, ordering: .sequentiallyConsistent) }
        while true {
            if isStopping.load(ordering: .sequentiallyConsistent) { return nil }
            if let open = openTicket(after: seen) { return open }
            pthread_cond_wait(condition, mutex)
        }
    }

    private func openTicket(after seen: UInt32) -> UInt32? {
        let now = ticket.load(ordering: .sequentiallyConsistent)
        return now != seen && now % 2 == 1 ? now : nil
    }

    private func wake() {
        guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }
}

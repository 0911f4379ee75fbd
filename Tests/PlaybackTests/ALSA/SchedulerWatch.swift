import Foundation
import Playback
import Synchronization

/// Tells whether the machine lets this process run: a thread that wants to wake up every 2 ms, and how late it came.
final class SchedulerWatch: Sendable {
    private let worst = Atomic<UInt64>(0)
    private let isStopped = Atomic<Bool>(false)

    init() {
        Thread { [self] in
            let clock = SystemClock()
            while !isStopped.load(ordering: .relaxed) {
                let start = clock.nanoseconds
                usleep(2000)
                let late = clock.nanoseconds - start
                worst.max(late - min(late, 2_000_000), ordering: .relaxed)
            }
        }.start()
    }

    /// Seconds.
    var worstLateness: Double { Double(worst.load(ordering: .relaxed)) / 1e9 }

    func stop() { isStopped.store(true, ordering: .relaxed) }
}

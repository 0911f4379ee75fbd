import Glibc

/// Adds up the time spent in some part of a computation.
package struct Stopwatch: Sendable {
    /// Seconds so far.
    package private(set) var seconds = 0.0

    package init() {}

    /// Runs `body` and adds its time.
    package mutating func measure<R>(_ body: () -> R) -> R {
        let start = Self.now
        defer { seconds += Self.now - start }
        return body()
    }

    /// Seconds of the monotonic clock.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

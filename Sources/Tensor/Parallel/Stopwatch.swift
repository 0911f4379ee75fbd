import Glibc

/// The clock that computations are timed with.
package enum Stopwatch {
    /// Seconds of the monotonic clock.
    package static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

import Glibc

/// Where the output takes the time from. Tests give it a clock that they move themselves.
public protocol PlaybackClock: Sendable {
    /// Nanoseconds since some fixed moment, never going back. Called by the device writer: must not block.
    var nanoseconds: UInt64 { get }
}

/// The system's monotonic clock.
public struct SystemClock: PlaybackClock {
    public init() {}

    public var nanoseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

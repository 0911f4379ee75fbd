import Playback

/// Adds up where time goes.
struct PhaseWatch {
    private let clock = SystemClock()

    /// Seconds since some fixed moment.
    var now: Double { Double(clock.nanoseconds) / 1e9 }

    /// Adds the time that `body` takes to `sum`, also when it throws.
    func measure<Result, Failure: Error>(
        _ sum: inout Double, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = now
        defer { sum += now - start }
        return try body()
    }
}

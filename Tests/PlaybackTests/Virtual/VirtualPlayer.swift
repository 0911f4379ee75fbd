@testable import Playback

/// An output, a device and a producer in virtual time. One thread, no waiting: the next event is whichever comes
/// first, something that the producer does or a turn of the writer.
final class VirtualPlayer {
    let clock = VirtualClock()
    let sink: VirtualSink
    let output: AudioOutput
    /// How late the writer wakes up, in nanoseconds.
    var lateness: () -> UInt64 = { 0 }
    /// Called after every turn.
    var afterTurn: () -> Void = {}

    private var wake: UInt64? = 0
    private(set) var ended = false
    let origin: UInt64

    init(
        sampleRate: Int = 24_000, configuration: OutputConfiguration = OutputConfiguration(), queueLimit: Int = .max,
        device: (VirtualSink) -> Void = { _ in }
    ) throws {
        sink = VirtualSink(clock: clock)
        device(sink)
        output = AudioOutput(
            sink: sink, clock: clock, configuration: configuration, hasThread: false, queueLimit: queueLimit)
        try output.configure(sampleRate: sampleRate)
        origin = clock.nanoseconds
    }

    /// Seconds since the beginning.
    var now: Double { Double(clock.nanoseconds - origin) / 1e9 }

    func start(_ strategy: PlaybackStrategy) throws {
        try output.startPlayback(strategy: strategy)
        (wake, ended) = (clock.nanoseconds, false)
    }

    /// Lets the writer make its turns up to a moment.
    func run(until seconds: Double) {
        let moment = origin + UInt64(seconds * 1e9)
        while !ended, let wake, wake <= moment {
            clock.move(to: wake)
            turn()
        }
        clock.move(to: moment)
    }

    /// Does something at this moment, which wakes the writer.
    func act(_ action: (AudioOutput) throws -> Void) rethrows {
        try action(output)
        if !ended { turn() }
    }

    /// Lets playback come to its end. False if it does not within an hour.
    func runToEnd() -> Bool {
        let limit = now + 3600
        while !ended {
            guard let wake, Double(wake - min(wake, origin)) / 1e9 < limit else { return false }
            clock.move(to: wake)
            turn()
        }
        return true
    }

    private func turn() {
        guard let session = output.session else { return }
        switch session.turn() {
        // A thread waits whole milliseconds, rounded down.
        case .after(let nanoseconds):
            wake = clock.nanoseconds + max(1000, nanoseconds / 1_000_000 * 1_000_000) + lateness()
        case .whenWoken: wake = nil
        case .ended: (wake, ended) = (nil, true)
        }
        afterTurn()
    }
}

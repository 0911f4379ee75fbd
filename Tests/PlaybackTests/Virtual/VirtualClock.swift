import Synchronization

@testable import Playback

/// A clock that a test moves.
final class VirtualClock: PlaybackClock {
    private let time = Atomic<UInt64>(1_000_000_000)

    var nanoseconds: UInt64 { time.load(ordering: .relaxed) }

    func move(to moment: UInt64) {
        if moment > nanoseconds { time.store(moment, ordering: .relaxed) }
    }
}

import Synchronization

/// What the device writer and everybody else tell each other: atomics, and nothing that could make anyone wait.
final class WriterControls: Sendable {
    // Orders to the writer.

    /// Samples that must be queued before sound starts, or starts again.
    let gate = Atomic<Int>(.max)
    /// Clock time from which what is queued suffices, whatever the gate says.
    let gateTime = Atomic<UInt64>(.max)
    /// No more samples will be queued. Stored after the last of them, with release.
    let finished = Atomic<Bool>(false)
    let stopRequested = Atomic<Bool>(false)
    let pauseRequested = Atomic<Bool>(false)
    private let volumeBits = Atomic<UInt32>(Float(1).bitPattern)

    // Reports from the writer.

    private let modeCode = Atomic<UInt8>(WriterMode.waiting.rawValue)
    /// Frames of audio heard.
    let heard = Atomic<Int>(0)
    /// Frames of audio written and not yet heard.
    let pending = Atomic<Int>(0)
    let underruns = Atomic<Int>(0)
    /// Clock time at which the first sample was heard, 0 before.
    let firstSound = Atomic<UInt64>(0)

    var volume: Float {
        get { Float(bitPattern: volumeBits.load(ordering: .relaxed)) }
        set { volumeBits.store(newValue.bitPattern, ordering: .relaxed) }
    }

    var mode: WriterMode {
        get { WriterMode(rawValue: modeCode.load(ordering: .acquiring)) ?? .ended }
        set { modeCode.store(newValue.rawValue, ordering: .releasing) }
    }
}

/// What the device writer is doing.
enum WriterMode: UInt8, Sendable {
    /// Nothing is heard yet, the gate is closed, the device is at rest.
    case waiting
    case playing
    /// Generation did not keep up: silence until the gate opens again.
    case gap
    /// The faded tail before a pause is being heard.
    case pausing
    case paused
    /// All has been written; the end is being heard.
    case draining
    /// The faded tail of a stop is being heard.
    case stopping
    /// The device is closed.
    case ended
}

/// How much of what was written has been heard, with audio told from inserted silence.
///
/// The device says how many frames are still to come; the ledger remembers which of the latest frames were audio.
/// A fixed number of runs, no allocation after `init`.
struct HeardLedger {
    private struct Run {
        var isAudio: Bool
        var frames: Int
    }

    private static let capacity = 64
    private let runs: UnsafeMutablePointer<Run>
    private var first = 0
    private var count = 0
    private var pending = 0
    /// Frames of audio heard. Never goes down.
    private(set) var heardAudio = 0

    /// The caller calls `deallocate`.
    init() {
        runs = .allocate(capacity: Self.capacity)
        runs.initialize(repeating: Run(isAudio: false, frames: 0), count: Self.capacity)
    }

    func deallocate() { runs.deallocate() }

    /// Frames of audio written and not yet heard.
    var pendingAudio: Int {
        var sum = 0
        for index in 0..<count {
            let run = runs[(first + index) % Self.capacity]
            if run.isAudio { sum += run.frames }
        }
        return sum
    }

    mutating func wrote(_ frames: Int, isAudio: Bool) {
        guard frames > 0 else { return }
        pending += frames
        if count > 0 {
            let last = (first + count - 1) % Self.capacity
            if runs[last].isAudio == isAudio {
                runs[last].frames += frames
                return
            }
        }
        // More changes than runs within one queue: call the oldest heard a little early.
        if count == Self.capacity { settle(delay: pending - runs[first].frames) }
        runs[(first + count) % Self.capacity] = Run(isAudio: isAudio, frames: frames)
        count += 1
    }

    /// The device says that what is written next is heard after `delay` frames.
    mutating func settle(delay: Int) {
        var heard = pending - max(0, delay)
        while heard > 0, count > 0 {
            let part = min(heard, runs[first].frames)
            runs[first].frames -= part
            if runs[first].isAudio { heardAudio += part }
            heard -= part
            pending -= part
            if runs[first].frames == 0 {
                first = (first + 1) % Self.capacity
                count -= 1
            }
        }
    }

    /// What is pending will never be heard.
    mutating func discard() {
        (first, count, pending) = (0, 0, 0)
    }
}

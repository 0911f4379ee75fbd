import Synchronization

/// Samples on their way from one producer to one consumer, without a lock.
///
/// A ring of segments: positions grow for ever, sample n lies in segment n / segmentLength, and the directory
/// slot of a segment is its number modulo the directory's length. Only what is queued takes memory, so that
/// a lead of seconds costs seconds and a lead of an hour is possible. The producer allocates segments and
/// takes consumed ones back; the consumer copies, and does nothing else.
///
/// `append` is for the producer alone, `take` for the consumer alone, the counts for anybody.
final class SampleQueue: @unchecked Sendable {
    // SAFETY: `written` is stored with release after the samples and the slots below it are in place and is loaded
    // with acquire by the consumer; `taken` is stored with release after the copy and is loaded with acquire by the
    // producer before it reuses a segment. So no memory is touched by both threads at once.
    static let segmentLength = 1 << 14
    private static let slots = 1 << 13
    private static let spareLimit = 64

    private let directory: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
    private let written = Atomic<Int>(0)
    private let taken = Atomic<Int>(0)

    // The producer's own.
    private var spare: [UnsafeMutablePointer<Float>] = []
    private var opened = 0
    private var reclaimed = 0

    /// Samples that fit at most.
    static var largestLimit: Int { (slots - 1) * segmentLength }
    /// Samples that fit.
    let limit: Int

    init(limit: Int = SampleQueue.largestLimit) {
        self.limit = min(limit, Self.largestLimit)
        directory = .allocate(capacity: Self.slots)
        directory.initialize(repeating: nil, count: Self.slots)
    }

    deinit {
        for index in reclaimed..<opened { directory[index % Self.slots]?.deallocate() }
        for segment in spare { segment.deallocate() }
        directory.deallocate()
    }

    /// Samples queued and not taken.
    var count: Int {
        // `taken` first: it only grows, so that the difference is never negative for the consumer.
        let taken = taken.load(ordering: .acquiring)
        return max(0, written.load(ordering: .acquiring) - taken)
    }

    /// Samples that may be queued now. For the producer: until it appends, room only grows.
    var room: Int { limit - (written.load(ordering: .relaxed) - taken.load(ordering: .acquiring)) }

    /// Queues all samples, or none: false if there is no room for them.
    func append(_ samples: Span<Float>) -> Bool {
        let start = written.load(ordering: .relaxed)
        let consumed = taken.load(ordering: .acquiring)
        guard start - consumed + samples.count <= limit else { return false }
        reclaim(below: consumed / Self.segmentLength)

        var position = start
        var offset = 0
        while offset < samples.count {
            let segment = segment(at: position / Self.segmentLength)
            let within = position % Self.segmentLength
            let length = min(samples.count - offset, Self.segmentLength - within)
            samples.extracting(offset..<offset + length).withUnsafeBufferPointer { source in
                if let base = source.baseAddress {
                    (segment + within).update(from: base, count: length)
                }
            }
            position += length
            offset += length
        }
        written.store(position, ordering: .releasing)
        return true
    }

    /// Moves up to `destination.count` samples out. Allocates nothing and waits for nothing.
    ///
    /// - Returns: samples moved.
    func take(into destination: UnsafeMutableBufferPointer<Float>) -> Int {
        guard let base = destination.baseAddress else { return 0 }
        let start = taken.load(ordering: .relaxed)
        let total = min(destination.count, written.load(ordering: .acquiring) - start)
        var moved = 0
        while moved < total {
            let position = start + moved
            let within = position % Self.segmentLength
            let length = min(total - moved, Self.segmentLength - within)
            guard let segment = directory[(position / Self.segmentLength) % Self.slots] else { break }
            (base + moved).update(from: segment + within, count: length)
            moved += length
        }
        taken.store(start + moved, ordering: .releasing)
        return moved
    }

    private func segment(at index: Int) -> UnsafeMutablePointer<Float> {
        if index < opened, let segment = directory[index % Self.slots] { return segment }
        let segment = spare.popLast() ?? .allocate(capacity: Self.segmentLength)
        segment.initialize(repeating: 0, count: Self.segmentLength)
        directory[index % Self.slots] = segment
        opened = index + 1
        return segment
    }

    private func reclaim(below index: Int) {
        while reclaimed < index {
            let slot = reclaimed % Self.slots
            if let segment = directory[slot] {
                if spare.count < Self.spareLimit { spare.append(segment) } else { segment.deallocate() }
                directory[slot] = nil
            }
            reclaimed += 1
        }
    }
}

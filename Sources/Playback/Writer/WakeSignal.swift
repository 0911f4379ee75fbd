import Glibc

/// Wakes the device writer from any thread: a pipe, so that waiting has a time limit, counts no changes of
/// the wall clock and takes no lock.
final class WakeSignal: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(PlaybackError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw .systemResources(operation: "make a pipe", code: -errno)
        }
        for end in ends {
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        Glibc.close(readEnd)
        Glibc.close(writeEnd)
    }

    /// Ends the current wait, or the next one. A full pipe is a signal too.
    func wake() {
        var byte: UInt8 = 1
        _ = Glibc.write(writeEnd, &byte, 1)
    }

    /// Returns when woken or when the time has passed. `nil` waits for the signal alone.
    func wait(nanoseconds: UInt64?) {
        // Rounded down: a writer that comes a moment early finds little to do, one that comes late finds an empty
        // queue.
        let limit = nanoseconds.map { Int32(clamping: $0 / 1_000_000) } ?? -1
        var request = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, limit) > 0 else { return }
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { bytes in
            while Glibc.read(readEnd, bytes.baseAddress, bytes.count) == bytes.count {}
        }
    }
}

import Glibc

/// A sliding window over the rows of a `[T, C]` signal, addressed by absolute row.
///
/// A signal of `length` rows is written from row 0 on with `append` and forgotten from the front
/// with `discard(before:)`. On both sides of it lie `padding` rows of zeros, rows −P ..< 0 and
/// T ..< T + P, which is what a convolution's zero padding reads: each layer so keeps its own
/// history and its own end, and the same code runs a whole sentence at once or a frame at a time.
///
/// Appending allocates only where the rows held and the new ones exceed the capacity.
/// Not thread-safe: a window belongs to one stream.
package final class RowWindow {
    package let channels: Int
    package private(set) var length = 0
    package private(set) var padding = 0
    /// The first row that is held.
    package private(set) var start = 0
    /// The row after the last one written, padding not counted.
    package private(set) var end = 0

    private var storage: AlignedBuffer
    /// Rows that fit without growing.
    package private(set) var capacity: Int
    /// Where in `storage` the row `start` lies.
    private var offset = 0

    /// - Parameters:
    ///   - channels: C.
    ///   - capacity: rows that fit without growing, padding included.
    package init(channels: Int, capacity: Int = 0) {
        self.channels = channels
        self.capacity = capacity
        storage = AlignedBuffer(count: capacity * channels, isZeroed: false)
    }

    /// A window that holds a whole signal, ready for random access; what its rows hold is undefined.
    package convenience init(rows: Int, channels: Int, padding: Int = 0) {
        self.init(channels: channels, capacity: rows + 2 * padding)
        reset(length: rows, padding: padding)
        append(rows)
    }

    /// Starts a new signal of `length` rows with `padding` zero rows on either side.
    package func reset(length: Int, padding: Int) {
        precondition(length >= 0 && padding >= 0, "a window's length and padding are not negative")
        self.length = length
        self.padding = padding
        start = -padding
        end = 0
        offset = 0
        // A signal of no rows is at its end, so both paddings can be read at once.
        let readable = length == 0 ? 2 * padding : padding
        if readable > capacity {
            storage = AlignedBuffer(count: readable * channels, isZeroed: false)
            capacity = readable
        }
        zero(rows: start..<start + readable)
    }

    /// Makes room for `rows` rows at a time, beside those that layers keep for later.
    package func reserve(rows: Int) {
        let needed = rows + 4 * padding + 1
        if needed > capacity { grow(to: needed) }
    }

    /// The row after the last one that may be read: the end, and behind the signal its padding.
    package var readable: Int { end == length ? length + padding : end }

    /// Makes the next `count` rows readable; what they hold is undefined until written.
    ///
    /// With the last row of the signal its trailing padding appears.
    package func append(_ count: Int) {
        precondition(count >= 0 && count <= length - end, "a window takes no more rows than its length")
        guard count > 0 else { return }
        let isLast = end + count == length
        let needed = end - start + count + (isLast ? padding : 0)
        if offset + needed > capacity { compact(for: needed) }
        end += count
        if isLast { zero(rows: length..<(length + padding)) }
    }

    /// Appends the rows that `write` puts into room for `limit` of them; it returns how many.
    func append(atMost limit: Int, _ write: (UnsafeMutablePointer<Float>) -> Int) {
        let needed = end - start + limit + padding
        if offset + needed > capacity { compact(for: needed) }
        // SAFETY: there is room for `limit` rows behind the last one.
        let count = write(storage.base + (offset + end - start) * channels)
        precondition(count <= limit, "a stage gives no more rows than its bound")
        append(count)
    }

    /// Forgets the rows before `row`.
    package func discard(before row: Int) {
        let new = min(max(row, start), readable)
        offset += new - start
        start = new
    }

    /// Sets rows to zero.
    package func zero(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        memset(pointer(at: rows.lowerBound), 0, rows.count * channels * MemoryLayout<Float>.stride)
    }

    // SAFETY: the pointer is used while `self` is alive and before the next append, which may
    // move the rows; `row` lies in start ... readable, and the caller stays within the rows.
    func pointer(at row: Int) -> UnsafeMutablePointer<Float> {
        assert(row >= start, "a row that was discarded is not read")
        return storage.base + (offset + row - start) * channels
    }

    /// The rows as arrays, for tests and diagnostics.
    package func copy(rows: Range<Int>) -> [Float] {
        precondition(rows.lowerBound >= start && rows.upperBound <= readable)
        return Array(UnsafeBufferPointer(start: pointer(at: rows.lowerBound), count: rows.count * channels))
    }

    /// Appends the rows' numbers to `target`.
    package func appendRows(_ rows: Range<Int>, to target: inout [Float]) {
        guard !rows.isEmpty else { return }
        precondition(rows.lowerBound >= start && rows.upperBound <= readable)
        target.append(
            contentsOf: UnsafeBufferPointer(start: pointer(at: rows.lowerBound), count: rows.count * channels)
        )
    }

    /// Writes `values`, whole rows, from `row` on.
    package func write(_ values: Span<Float>, at row: Int) {
        precondition(values.count % channels == 0, "whole rows are written")
        precondition(row >= start && row + values.count / channels <= readable)
        let target = pointer(at: row)
        for i in values.indices { target[i] = values[i] }
    }

    /// Calls `body` with row `row`, `[C]`.
    package func withRow<R>(_ row: Int, _ body: (inout MutableSpan<Float>) -> R) -> R {
        precondition(row >= start && row < readable)
        var span = MutableSpan(_unsafeStart: pointer(at: row), count: channels)
        return body(&span)
    }

    private func compact(for needed: Int) {
        let held = readable - start
        if needed > capacity {
            grow(to: max(needed, capacity + capacity / 2))
        } else {
            memmove(
                storage.base, storage.base + offset * channels,
                held * channels * MemoryLayout<Float>.stride)
            offset = 0
        }
    }

    private func grow(to rows: Int) {
        let larger = AlignedBuffer(count: rows * channels, isZeroed: false)
        let held = end - start
        memcpy(
            larger.base, storage.base + offset * channels,
            held * channels * MemoryLayout<Float>.stride)
        storage = larger
        capacity = rows
        offset = 0
    }
}

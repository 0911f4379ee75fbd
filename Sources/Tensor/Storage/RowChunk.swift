/// Some rows of a `[T, C]` signal on their way from one stage to the next.
package final class RowChunk {
    package let channels: Int
    package private(set) var rows = 0
    private var storage: AlignedBuffer

    /// - Parameter capacity: rows that fit without growing.
    package init(channels: Int, capacity: Int = 0) {
        self.channels = channels
        storage = AlignedBuffer(count: capacity * channels, isZeroed: false)
    }

    /// Replaces the rows by what `write` puts into room for `limit` of them; it returns how many.
    func fill(limit: Int, _ write: (UnsafeMutablePointer<Float>) -> Int) {
        if storage.count < limit * channels {
            storage = AlignedBuffer(count: limit * channels, isZeroed: false)
        }
        rows = write(storage.base)
        precondition(rows <= limit, "a stage gives no more rows than its bound")
    }

    /// Replaces the rows by those of `window`.
    package func copy(_ window: RowWindow, rows: Range<Int>) {
        precondition(window.channels == channels && rows.lowerBound >= window.start && rows.upperBound <= window.end)
        fill(limit: rows.count) { target in
            if !rows.isEmpty {
                target.update(from: window.pointer(at: rows.lowerBound), count: rows.count * channels)
            }
            return rows.count
        }
    }

    /// The rows as an array, for diagnostics.
    package var values: [Float] { Array(UnsafeBufferPointer(start: base, count: rows * channels)) }

    // SAFETY: valid until the next fill.
    var base: UnsafeMutablePointer<Float> { storage.base }
}

extension RowWindow {
    /// Appends all rows of `chunk`.
    package func append(_ chunk: RowChunk) {
        precondition(chunk.channels == channels)
        let first = end
        append(chunk.rows)
        if chunk.rows > 0 { pointer(at: first).update(from: chunk.base, count: chunk.rows * channels) }
    }
}

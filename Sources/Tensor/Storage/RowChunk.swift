/// Some rows of a `[T, C]` signal on their way from one stage to the next.
package final class RowChunk {
    package let channels: Int
    package private(set) var rows = 0
    private var storage = AlignedBuffer(count: 0)

    package init(channels: Int) { self.channels = channels }

    /// Replaces the rows by what `write` puts into room for `limit` of them; it returns how many.
    func fill(limit: Int, _ write: (UnsafeMutablePointer<Float>) -> Int) {
        if storage.count < limit * channels { storage = AlignedBuffer(count: limit * channels, isZeroed: false) }
        rows = write(storage.base)
    }

    // SAFETY: valid until the next fill.
    var base: UnsafeMutablePointer<Float> { storage.base }
}

extension RowWindow {
    /// Appends leakyReLU of all rows of `chunk`.
    package func appendLeakyReLU(of chunk: RowChunk, slope: Float) {
        append(leakyReLUOf: chunk.base, rows: chunk.rows, channels: chunk.channels, slope: slope)
    }
}

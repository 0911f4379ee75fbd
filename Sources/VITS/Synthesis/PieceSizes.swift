/// In what pieces a part of the model takes in a sentence's frames.
///
/// Never a matter of the steps that the audio is asked for in: the bits of a fast convolution depend
/// on where a piece ends, and so the same sentence has the same bits in any steps.
package struct PieceSizes: Sendable {
    /// Frames of the first pieces; the last one is repeated. None is less than 1.
    let sizes: [Int]

    init(_ sizes: [Int]) { self.sizes = sizes.isEmpty ? [1] : sizes.map { max(1, $0) } }

    /// Pieces of one size.
    package init(each size: Int) { self.init([size]) }

    var largest: Int { sizes.max() ?? 1 }
    var smallest: Int { sizes.min() ?? 1 }

    /// Frames that have gone in after so many pieces.
    func frames(after pieces: Int) -> Int {
        var grown = 0
        for size in sizes.prefix(pieces) { grown += size }
        return grown + max(0, pieces - sizes.count) * sizes[sizes.count - 1]
    }

    /// Pieces that it takes until so many frames have gone in.
    func count(taking frames: Int) -> Int {
        var left = frames
        var count = 0
        for size in sizes {
            guard left > 0 else { return count }
            left -= size
            count += 1
        }
        let last = sizes[sizes.count - 1]
        return left > 0 ? count + (left + last - 1) / last : count
    }
}

/// In what pieces the flow takes in a sentence's frames.
///
/// Never a matter of the steps that the audio is asked for in: the bits of a fast convolution depend
/// on where a piece ends, and so the same sentence has the same bits in any steps.
package struct FlowPasses: Sendable {
    /// Frames of the first passes; the last one is repeated. None is less than 1.
    let sizes: [Int]

    /// Passes of one size.
    package init(each size: Int) { sizes = [max(1, size)] }

    /// The first of what the first sound needs, then growing up to a size at which reading a pass's
    /// weights costs little beside using them.
    init(first: Int) { sizes = [max(1, first), 64, 128, Self.largest] }

    private static let largest = 256

    /// A single pass for what one pass of weights that are packed anew each time should do.
    static let packedAnew = FlowPasses(each: largest)

    var largest: Int { sizes.max() ?? 1 }

    /// Frames that have gone in after so many passes.
    func frames(after passes: Int) -> Int {
        let grown = sizes.prefix(passes).reduce(0, +)
        return grown + max(0, passes - sizes.count) * (sizes.last ?? 1)
    }

    /// Passes that it takes until so many frames have gone in.
    func count(taking frames: Int) -> Int {
        var left = frames
        var count = 0
        for size in sizes {
            guard left > 0 else { return count }
            left -= size
            count += 1
        }
        guard left > 0, let last = sizes.last else { return count }
        return count + (left + last - 1) / last
    }
}

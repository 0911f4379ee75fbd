/// Where a layer's weights come from, for layers that pack them when they are first used.
package protocol WeightSource: Sendable {
    /// Calls `body` with the values, row-major as the checkpoint stores them.
    func withValues(_ body: (WeightValues) -> Void)
    /// Copies the values `range`, for a layer that reads them once.
    func copy(_ range: Range<Int>, to target: UnsafeMutablePointer<Float>)
    /// Makes values now that would be made when they are first read.
    func prepare()
    /// Says that the values will not be read for long, so that mapped pages may go.
    func release()
}

extension WeightSource {
    package func prepare() {}
}

/// Floats that may lie at any byte, as they do in a mapped file.
package struct WeightValues {
    package let count: Int
    private let base: UnsafeRawPointer

    // SAFETY: `base` holds `count` floats for as long as this value is used.
    package init(base: UnsafeRawPointer, count: Int) {
        self.base = base
        self.count = count
    }

    subscript(index: Int) -> Float {
        assert(index >= 0 && index < count)
        return base.loadUnaligned(fromByteOffset: index * MemoryLayout<Float>.stride, as: Float.self)
    }

    /// The values `range`.
    func slice(_ range: Range<Int>) -> WeightValues {
        assert(range.lowerBound >= 0 && range.upperBound <= count)
        return WeightValues(base: base + range.lowerBound * MemoryLayout<Float>.stride, count: range.count)
    }

    /// For CKernels' packing, which reads at any byte.
    var pointer: UnsafePointer<Float> { base.assumingMemoryBound(to: Float.self) }
}

/// Weights that are in memory.
package struct ArrayWeights: WeightSource {
    private let values: [Float]

    package init(_ values: [Float]) { self.values = values }

    package func withValues(_ body: (WeightValues) -> Void) {
        values.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { body(WeightValues(base: base, count: values.count)) }
        }
    }

    package func copy(_ range: Range<Int>, to target: UnsafeMutablePointer<Float>) {
        for i in range { target[i - range.lowerBound] = values[i] }
    }

    package func release() {}
}

/// Some of another source's values that lie together, such as some of a layer's output channels.
package struct WeightSlice: WeightSource {
    private let source: any WeightSource
    private let range: Range<Int>

    package init(_ source: any WeightSource, _ range: Range<Int>) {
        self.source = source
        self.range = range
    }

    package func withValues(_ body: (WeightValues) -> Void) {
        source.withValues { body($0.slice(range)) }
    }

    package func copy(_ part: Range<Int>, to target: UnsafeMutablePointer<Float>) {
        source.copy(range.lowerBound + part.lowerBound..<range.lowerBound + part.upperBound, to: target)
    }

    package func prepare() { source.prepare() }

    package func release() { source.release() }
}

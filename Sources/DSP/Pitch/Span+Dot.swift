extension Span<Float> {
    /// Σ self[i + k] · other[j + k] for k in 0 ..< count, eight lanes at a time: the compiler may not reorder
    /// a sum of floats on its own.
    func dot(from i: Int, _ other: Span<Float>, from j: Int, count n: Int) -> Float {
        precondition(i >= 0 && j >= 0 && i + n <= count && j + n <= other.count, "dot product out of bounds")
        return withUnsafeBytes { x in
            other.withUnsafeBytes { y in
                // SAFETY: the precondition keeps every load inside both spans; loadUnaligned asks for no
                // alignment.
                func load<V: BitwiseCopyable>(_ bytes: UnsafeRawBufferPointer, _ index: Int, as type: V.Type)
                    -> V
                {
                    bytes.baseAddress.unsafelyUnwrapped.loadUnaligned(fromByteOffset: index * 4, as: type)
                }
                var first = SIMD8<Float>.zero
                var second = SIMD8<Float>.zero
                var k = 0
                while k + 16 <= n {
                    first += load(x, i + k, as: SIMD8<Float>.self) * load(y, j + k, as: SIMD8<Float>.self)
                    second +=
                        load(x, i + k + 8, as: SIMD8<Float>.self) * load(y, j + k + 8, as: SIMD8<Float>.self)
                    k += 16
                }
                var sum = (first + second).sum()
                while k < n {
                    sum += load(x, i + k, as: Float.self) * load(y, j + k, as: Float.self)
                    k += 1
                }
                return sum
            }
        }
    }

    /// Correlation coefficient without removal of the mean, −1 to 1; 0 where either part is silent.
    func correlation(from i: Int, _ other: Span<Float>, from j: Int, count n: Int) -> Float {
        let energies = dot(from: i, self, from: i, count: n) * other.dot(from: j, other, from: j, count: n)
        guard energies > 0, energies.isFinite else { return 0 }
        return dot(from: i, other, from: j, count: n) / energies.squareRoot()
    }
}

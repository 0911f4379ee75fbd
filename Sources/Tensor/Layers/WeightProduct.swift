import CKernels
import Synchronization

/// The weights of two layers of kernel 1 in a row as those of one: `[N, K]` · `[K, M]`, made when they are
/// first asked for and kept until they are released.
package final class WeightProduct: WeightSource {
    private let left: any WeightSource
    private let right: any WeightSource
    private let rows: Int
    private let depth: Int
    private let columns: Int
    private let product = Mutex<AlignedBuffer?>(nil)

    /// - Parameters:
    ///   - left: `[rows, depth]`, the later layer's.
    ///   - right: `[depth, columns]`, the earlier layer's.
    package init(_ left: any WeightSource, by right: any WeightSource, rows: Int, depth: Int, columns: Int) {
        self.left = left
        self.right = right
        self.rows = rows
        self.depth = depth
        self.columns = columns
    }

    package func withValues(_ body: (WeightValues) -> Void) {
        let values = made()
        // Another thread may release the product meanwhile.
        withExtendedLifetime(values) {
            body(WeightValues(base: UnsafeRawPointer(values.base), count: rows * columns))
        }
    }

    package func copy(_ range: Range<Int>, to target: UnsafeMutablePointer<Float>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= rows * columns)
        let values = made()
        withExtendedLifetime(values) {
            target.update(from: values.base + range.lowerBound, count: range.count)
        }
    }

    package func prepare() { _ = made() }

    package func release() {
        product.withLock { $0 = nil }
        left.release()
        right.release()
    }

    private func made() -> AlignedBuffer {
        product.withLock { product in
            if let product { return product }
            let a = AlignedBuffer(count: rows * depth, isZeroed: false)
            left.copy(0..<rows * depth, to: a.base)
            let b = AlignedBuffer(count: depth * columns, isZeroed: false)
            right.copy(0..<depth * columns, to: b.base)
            let packed = AlignedBuffer(count: syrinx_gemm_packed_size(depth, columns), isZeroed: false)
            syrinx_gemm_pack(b.base, columns, 1, depth, columns, packed.base)
            let result = AlignedBuffer(count: rows * columns, isZeroed: false)
            syrinx_gemm(a.base, depth, packed.base, nil, result.base, columns, rows, depth, columns, false)
            product = result
            return result
        }
    }
}

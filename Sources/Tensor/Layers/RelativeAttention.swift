import CKernels

/// Multi-head self-attention with learnt relative positions inside a window (Shaw et al. 2018, as
/// in the text encoder of VITS), on `[T, C]`.
///
///     scores[i, j] = q_i·k_j + (|j − i| ≤ window ? q_i·relativeKey[j − i + window] : 0)
///     y_i = Σ_j p_ij v_j + Σ_{|j − i| ≤ window} p_ij relativeValue[j − i + window]
///
/// with p the softmax of the scores and q already divided by √(C / H).
package struct RelativeAttention: Sendable {
    package let heads: Int
    package let headChannels: Int
    package let window: Int
    /// `[H or 1, 2·window + 1, C / H]`.
    private let relativeKey: AlignedBuffer
    private let relativeValue: AlignedBuffer
    private let isShared: Bool

    package init(heads: Int, headChannels: Int, window: Int, relativeKey: [Float], relativeValue: [Float]) {
        let table = (2 * window + 1) * headChannels
        precondition(relativeKey.count == relativeValue.count)
        precondition(relativeKey.count == table || relativeKey.count == heads * table)
        self.heads = heads
        self.headChannels = headChannels
        self.window = window
        self.relativeKey = AlignedBuffer(relativeKey)
        self.relativeValue = AlignedBuffer(relativeValue)
        isShared = relativeKey.count == table
    }

    /// Writes the output of all rows.
    ///
    /// Memory: 2·T·C floats, and 64·T a thread, not T².
    /// - Parameter projected: `[T, 3C]`: q (scaled), k and v side by side.
    package func apply(_ projected: RowWindow, to output: RowWindow, pool: WorkerPool) {
        let length = projected.length
        let channels = heads * headChannels
        precondition(projected.channels == 3 * channels && output.channels == channels)
        guard length > 0 else { return }
        // SAFETY: each task writes its own rows of its own head's columns.
        let base = UnsafePointer(projected.pointer(at: 0))
        let target = output.pointer(at: 0)
        let packed = (0..<heads).map { PackedHead(self, head: $0, projected: base, length: length) }
        let block = 64
        let blocks = (length + block - 1) / block
        pool.run(heads * blocks) { index in
            let head = index % heads
            let first = index / heads * block
            attend(
                base + head * headChannels, packed[head], rows: first..<min(first + block, length),
                length: length,
                to: target + head * headChannels)
        }
    }

    /// What the rows of one head are multiplied by, packed for the kernels.
    private struct PackedHead {
        /// kᵀ, `[d, T]`.
        let keys: AlignedBuffer
        /// `[T, d]`.
        let values: AlignedBuffer
        /// The table of relative keys, transposed, `[d, 2·window + 1]`.
        let relativeKeys: AlignedBuffer
        /// `[2·window + 1, d]`.
        let relativeValues: AlignedBuffer

        init(_ attention: RelativeAttention, head: Int, projected: UnsafePointer<Float>, length: Int) {
            let d = attention.headChannels
            let channels = attention.heads * d
            let places = 2 * attention.window + 1
            let table = attention.isShared ? 0 : head * places * d
            func pack(
                _ source: UnsafePointer<Float>, rowStride: Int, columnStride: Int, depth: Int, columns: Int
            ) -> AlignedBuffer {
                let buffer = AlignedBuffer(count: syrinx_gemm_packed_size(depth, columns), isZeroed: false)
                syrinx_gemm_pack(source, rowStride, columnStride, depth, columns, buffer.base)
                return buffer
            }
            let key = projected + channels + head * d
            keys = pack(key, rowStride: 1, columnStride: 3 * channels, depth: d, columns: length)
            values = pack(key + channels, rowStride: 3 * channels, columnStride: 1, depth: length, columns: d)
            relativeKeys = pack(
                attention.relativeKey.base + table, rowStride: 1, columnStride: d, depth: d, columns: places)
            relativeValues = pack(
                attention.relativeValue.base + table, rowStride: d, columnStride: 1, depth: places, columns: d
            )
        }
    }

    private func attend(
        _ q: UnsafePointer<Float>, _ head: PackedHead, rows: Range<Int>, length: Int,
        to output: UnsafeMutablePointer<Float>
    ) {
        let d = headChannels
        let channels = heads * d
        let count = rows.count
        let places = 2 * window + 1
        let scores = ThreadScratch.floats(count * (length + places))
        let relative = scores + count * length
        let q = q + rows.lowerBound * 3 * channels
        let y = output + rows.lowerBound * channels
        syrinx_gemm(q, 3 * channels, head.keys.base, nil, scores, length, count, d, length, false)
        syrinx_gemm(q, 3 * channels, head.relativeKeys.base, nil, relative, places, count, d, places, false)
        for (i, row) in rows.enumerated() {
            for j in max(0, row - window)..<min(length, row + window + 1) {
                scores[i * length + j] += relative[i * places + j - row + window]
            }
        }
        syrinx_softmax_rows(scores, length, scores, length, count, length)
        for (i, row) in rows.enumerated() {
            for place in 0..<places {
                let j = row + place - window
                relative[i * places + place] = j >= 0 && j < length ? scores[i * length + j] : 0
            }
        }
        syrinx_gemm(scores, length, head.values.base, nil, y, channels, count, length, d, false)
        syrinx_gemm(relative, places, head.relativeValues.base, nil, y, channels, count, places, d, true)
    }
}

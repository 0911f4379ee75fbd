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
    /// Memory: 64·T floats a thread, not T².
    /// - Parameter projected: `[T, 3C]`: q (scaled), k and v side by side.
    package func apply(_ projected: RowWindow, to output: RowWindow, pool: WorkerPool) {
        let length = projected.length
        let channels = heads * headChannels
        precondition(projected.channels == 3 * channels && output.channels == channels)
        guard length > 0 else { return }
        Blas.prepare()
        let block = 64
        let blocks = (length + block - 1) / block
        // SAFETY: each task writes its own rows of its own head's columns.
        let base = projected.pointer(at: 0)
        let target = output.pointer(at: 0)
        pool.run(heads * blocks) { index in
            let head = index % heads
            let first = index / heads * block
            attend(base, head: head, rows: first..<min(first + block, length), length: length, to: target)
        }
    }

    private func attend(
        _ projected: UnsafePointer<Float>, head: Int, rows: Range<Int>, length: Int,
        to output: UnsafeMutablePointer<Float>
    ) {
        let d = headChannels
        let channels = heads * d
        let stride = 3 * channels
        let places = 2 * window + 1
        let table = isShared ? 0 : head * places * d
        let scratch = AlignedBuffer(count: rows.count * (length + places))
        let scores = scratch.base
        let relative = scratch.base + rows.count * length
        let q = projected + rows.lowerBound * stride + head * d
        let k = projected + channels + head * d
        let v = projected + 2 * channels + head * d
        let y = output + rows.lowerBound * channels + head * d

        Blas.multiplyAdd(
            q, stride: stride, by: k, stride: stride, to: scores, stride: length,
            rows: rows.count, inner: d, columns: length, transposed: true, keep: 0)
        Blas.multiplyAdd(
            q, stride: stride, by: relativeKey.base + table, stride: d, to: relative, stride: places,
            rows: rows.count, inner: d, columns: places, transposed: true, keep: 0)
        for (i, row) in rows.enumerated() {
            for j in max(0, row - window)..<min(length, row + window + 1) {
                scores[i * length + j] += relative[i * places + j - row + window]
            }
        }
        syrinx_softmax_rows(scores, length, scores, length, rows.count, length)
        for (i, row) in rows.enumerated() {
            for place in 0..<places {
                let j = row + place - window
                relative[i * places + place] = j >= 0 && j < length ? scores[i * length + j] : 0
            }
        }
        Blas.multiplyAdd(
            scores, stride: length, by: v, stride: stride, to: y, stride: channels,
            rows: rows.count, inner: length, columns: d, keep: 0)
        Blas.multiplyAdd(
            relative, stride: places, by: relativeValue.base + table, stride: d, to: y, stride: channels,
            rows: rows.count, inner: places, columns: d)
    }
}

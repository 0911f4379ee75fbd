import CKernels
import Glibc

/// Functions of every element of some rows. Each names the rows of `self` that it writes; those it
/// reads have the same numbers.
extension RowWindow {
    private func count(_ rows: Range<Int>) -> Int { rows.count * channels }

    /// max(x, 0), in place.
    package func applyReLU(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        let base = pointer(at: rows.lowerBound)
        syrinx_relu(base, base, count(rows))
    }

    /// x·Φ(x), in place.
    package func applyGELU(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        let base = pointer(at: rows.lowerBound)
        syrinx_gelu(base, base, count(rows))
    }

    /// tanh, in place.
    package func applyTanh(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        let base = pointer(at: rows.lowerBound)
        syrinx_tanh(base, base, count(rows))
    }

    /// Sets what is not a number to 0.
    package func clearNaN(rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        let base = pointer(at: rows.lowerBound)
        for i in 0..<count(rows) { base[i] = base[i].isNaN ? 0 : base[i] }
    }

    /// Writes leakyReLU(`source`).
    package func setLeakyReLU(of source: RowWindow, slope: Float, rows: Range<Int>, pool: WorkerPool) {
        guard !rows.isEmpty else { return }
        precondition(source.channels == channels)
        // SAFETY: the tasks write disjoint rows.
        let x = source.pointer(at: rows.lowerBound)
        let y = pointer(at: rows.lowerBound)
        let total = count(rows)
        let piece = 32_768
        pool.run((total + piece - 1) / piece) { index in
            let first = index * piece
            syrinx_leaky_relu(x + first, slope, y + first, min(piece, total - first))
        }
    }

    /// Adds `source`'s rows.
    package func add(_ source: RowWindow, rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        precondition(source.channels == channels)
        let y = pointer(at: rows.lowerBound)
        syrinx_add(y, source.pointer(at: rows.lowerBound), y, count(rows))
    }

    /// Adds `vector`, `[C]`, to each of the rows.
    package func addToEachRow(_ vector: AlignedBuffer, rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        precondition(vector.count == channels)
        let base = pointer(at: rows.lowerBound)
        syrinx_add_row(base, channels, vector.base, base, channels, rows.count, channels)
    }

    /// Copies `source`'s rows.
    package func set(to source: RowWindow, rows: Range<Int>) {
        guard !rows.isEmpty else { return }
        precondition(source.channels == channels)
        pointer(at: rows.lowerBound).update(from: source.pointer(at: rows.lowerBound), count: count(rows))
    }

    /// WaveNet's gate: tanh of the first half of `source`'s 2C columns times the sigmoid of the second.
    package func setGate(of source: RowWindow, rows: Range<Int>, pool: WorkerPool) {
        guard !rows.isEmpty else { return }
        precondition(source.channels == 2 * channels)
        var shares = GateShares(
            source: source.pointer(at: rows.lowerBound), target: pointer(at: rows.lowerBound), channels: channels,
            cut: RowCut(0..<rows.count, pieces: min(pool.threads, rows.count / 16)))
        pool.run(shares.cut.pieces, &shares) { shares, index in
            shares?.assumingMemoryBound(to: GateShares.self).pointee.run(Int(index))
        }
    }

    /// Adds some columns of `source`'s rows to as many columns.
    package func addColumns(
        of source: RowWindow, from sourceColumn: Int, to column: Int = 0, count: Int, rows: Range<Int>,
        factor: Float = 1
    ) {
        precondition(column + count <= channels && sourceColumn + count <= source.channels)
        for t in rows {
            syrinx_add_scaled(
                source.pointer(at: t) + sourceColumn, factor, pointer(at: t) + column, count)
        }
    }

    /// Multiplies some columns by exp(−x) of as many columns of `source`.
    package func divideByExp(
        of source: RowWindow, from sourceColumn: Int, to column: Int, count: Int, rows: Range<Int>
    ) {
        for t in rows {
            let x = source.pointer(at: t) + sourceColumn
            let y = pointer(at: t) + column
            for c in 0..<count { y[c] *= exp(-x[c]) }
        }
    }
}

/// The rows of a gate, as the threads take them.
// SAFETY: each row is written by one thread.
private struct GateShares {
    let source: UnsafeMutablePointer<Float>
    let target: UnsafeMutablePointer<Float>
    let channels: Int
    let cut: RowCut

    func run(_ index: Int) {
        let rows = cut[index]
        syrinx_gate(
            source + rows.lowerBound * 2 * channels, 2 * channels, target + rows.lowerBound * channels, channels,
            rows.count, channels)
    }
}

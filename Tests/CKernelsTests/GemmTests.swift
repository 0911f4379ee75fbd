import CKernels
import TestSupport
import Testing

@Suite("Matrix product")
struct GemmTests {
    /// A [rows, depth] at `stride`, B [depth, columns]: the largest error of C against double
    /// precision, in units of the stated bound (depth + 2) 2^-24 sum |a b| (+ bias, + C).
    func worstError(
        rows: Int, depth: Int, columns: Int, aStride: Int, bias: Bool, accumulate: Bool,
        transposed: Bool, seed: UInt64
    ) -> Double {
        var random = SeededGenerator(seed: seed)
        let a = random.floats(max(0, rows - 1) * aStride + depth)
        let b = random.floats(depth * columns)
        let biasRow = random.floats(columns)
        let cStride = columns + 3
        let before = random.floats(rows * cStride)
        var c = before
        var packed = [Float](repeating: .nan, count: syrinx_gemm_packed_size(depth, columns))
        if transposed {
            syrinx_gemm_pack(b, 1, depth, depth, columns, &packed)
        } else {
            syrinx_gemm_pack(b, columns, 1, depth, columns, &packed)
        }
        biasRow.withUnsafeBufferPointer {
            syrinx_gemm(
                a, aStride, packed, bias ? $0.baseAddress : nil, &c, cStride, rows, depth, columns,
                accumulate)
        }
        var worst = 0.0
        for t in 0..<rows {
            for j in 0..<cStride {
                let index = t * cStride + j
                guard j < columns else {
                    if c[index] != before[index] { return .infinity }
                    continue
                }
                var exact = 0.0
                var size = 0.0
                for k in 0..<depth {
                    let weight = transposed ? b[k + j * depth] : b[k * columns + j]
                    let term = Double(a[t * aStride + k]) * Double(weight)
                    exact += term
                    size += abs(term)
                }
                for extra in [bias ? biasRow[j] : 0, accumulate ? before[index] : 0] {
                    exact += Double(extra)
                    size += abs(Double(extra))
                }
                let bound = Double(depth + 2) * 0x1p-24 * size + 1e-45
                worst = max(worst, abs(Double(c[index]) - exact) / bound)
            }
        }
        return worst
    }

    @Test("Every tail of rows and columns stays within the bound and writes nothing else")
    func tails() {
        atEachLevel { level in
            for columns in [1, 2, 7, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 100, 129, 200] {
                for rows in [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 24] {
                    let depth = 1 + (rows * 7 + columns) % 19
                    let seed = UInt64(rows * 1000 + columns)
                    let error = worstError(
                        rows: rows, depth: depth, columns: columns, aStride: depth,
                        bias: rows % 2 == 0, accumulate: columns % 3 == 0, transposed: rows % 3 == 0,
                        seed: seed)
                    #expect(error <= 1, "\(level) [\(rows), \(depth), \(columns)] seed \(seed)")
                }
            }
        }
    }

    @Test("A deep product stays within the bound")
    func depth() {
        atEachLevel { level in
            let error = worstError(
                rows: 9, depth: 2304, columns: 80, aStride: 2304, bias: true, accumulate: true,
                transposed: false, seed: 3)
            #expect(error <= 1, "\(level)")
        }
    }

    @Test("Overlapping rows of A are windows of a signal")
    func overlappingRows() {
        atEachLevel { level in
            let error = worstError(
                rows: 21, depth: 96, columns: 40, aStride: 32, bias: false, accumulate: false,
                transposed: false, seed: 4)
            #expect(error <= 1, "\(level)")
        }
    }

    @Test("Nothing to do is done: no rows, no columns, no depth")
    func empty() {
        atEachLevel { level in
            let a: [Float] = [1, 2]
            let bias: [Float] = [5, 6]
            var c: [Float] = [3, 4]
            let packed: [Float] = [0]
            syrinx_gemm(a, 1, packed, bias, &c, 2, 0, 1, 2, false)
            syrinx_gemm(a, 1, packed, bias, &c, 2, 1, 1, 0, false)
            #expect(c == [3, 4], "\(level)")
            syrinx_gemm(a, 0, packed, bias, &c, 2, 1, 0, 2, false)
            #expect(c == [5, 6], "\(level): a sum of no terms is the bias")
        }
    }

    @Test("An element's bits do not depend on how rows or column panels are split")
    func splits() {
        let (rows, depth, columns) = (29, 50, 150)
        var random = SeededGenerator(seed: 6)
        let a = random.floats(rows * depth)
        let b = random.floats(depth * columns)
        var packed = [Float](repeating: 0, count: syrinx_gemm_packed_size(depth, columns))
        syrinx_gemm_pack(b, columns, 1, depth, columns, &packed)
        atEachLevel { level in
            var whole = [Float](repeating: 0, count: rows * columns)
            syrinx_gemm(a, depth, packed, nil, &whole, columns, rows, depth, columns, false)
            var parts = [Float](repeating: 0, count: rows * columns)
            a.withUnsafeBufferPointer { a in
                packed.withUnsafeBufferPointer { packed in
                    parts.withUnsafeMutableBufferPointer { parts in
                        for (first, count) in [(0, 1), (1, 10), (11, 18)] {
                            for (column, width) in [(0, 64), (64, 86)] {
                                syrinx_gemm(
                                    a.baseAddress! + first * depth, depth,
                                    packed.baseAddress! + column * depth, nil,
                                    parts.baseAddress! + first * columns + column, columns, count,
                                    depth, width, false)
                            }
                        }
                    }
                }
            }
            #expect(whole == parts, "\(level)")
        }
    }
}

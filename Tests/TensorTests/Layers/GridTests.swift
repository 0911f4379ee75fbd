import TestSupport
import Testing

@testable import Tensor

@Suite("A result cut for the threads")
struct GridTests {
    private static let rows = [1, 2, 7, 15, 16, 17, 96, 255, 256, 257, 1000]
    private static let columns = [1, 16, 63, 64, 65, 128, 192, 384, 512, 768]

    /// Tiles that cover every element once.
    private func cover(_ tiles: [(rows: Range<Int>, columns: Range<Int>)], rows: Int, columns: Int) -> Bool {
        var times = [UInt8](repeating: 0, count: rows * columns)
        for tile in tiles {
            for r in tile.rows {
                for c in tile.columns { times[r * columns + c] += 1 }
            }
        }
        return times.allSatisfy { $0 == 1 }
    }

    @Test("at the borders of panels covers it once", arguments: 1...5)
    func panels(threads: Int) {
        for rows in Self.rows {
            for columns in Self.columns {
                for tileRows in [1, 4, 12, 24, 96, 2048] {
                    let grid = PanelGrid(rows: rows, columns: columns, tileRows: tileRows, threads: threads)
                    let tiles = (0..<grid.count).map { index in
                        let tile = grid[index]
                        return (rows: tile.row..<tile.row + tile.rows, columns: tile.columns)
                    }
                    let name = "\(rows) × \(columns), tiles of \(tileRows)"
                    #expect(cover(tiles, rows: rows, columns: columns), "\(name)")
                    // The kernels take columns from the border of a panel to another, or to the end.
                    #expect(
                        tiles.allSatisfy {
                            $0.columns.lowerBound % 64 == 0
                                && ($0.columns.upperBound % 64 == 0 || $0.columns.upperBound == columns)
                        }, "\(name)")
                    #expect(tiles.allSatisfy { $0.rows.lowerBound % tileRows == 0 }, "\(name)")
                    #expect(tiles.count <= threads, "\(name)")
                }
            }
        }
    }

    @Test("the same way on any number of threads covers it once")
    func tiles() {
        for rows in Self.rows {
            for columns in Self.columns {
                let grid = TileGrid(rows: rows, columns: columns)
                let tiles = (0..<grid.count).map { index in
                    let tile = grid[index]
                    return (
                        rows: tile.row..<tile.row + tile.rows,
                        columns: tile.column..<tile.column + tile.columns
                    )
                }
                #expect(cover(tiles, rows: rows, columns: columns), "\(rows) × \(columns)")
            }
        }
    }

    @Test("keeps all threads busy where it is wide, or long")
    func use() {
        for threads in 2...4 {
            #expect(
                PanelGrid(rows: 40, columns: 64 * threads, tileRows: 4, threads: threads).count == threads)
            #expect(PanelGrid(rows: 1000, columns: 32, tileRows: 12, threads: threads).count == threads)
        }
        #expect(PanelGrid(rows: 8, columns: 32, tileRows: 1, threads: 4).count == 1)
    }
}

@Suite("A product with OpenBLAS and without")
struct BlasTests {
    @Test(
        "is the sum in double precision",
        arguments: [(1, 1, 1), (3, 5, 7), (17, 64, 33), (2, 0, 4), (0, 3, 3)])
    func product(rows: Int, inner: Int, columns: Int) {
        #expect(Blas.isAvailable, "the tests need libopenblas.so.0: run scripts/setup test")
        var random = SeededGenerator(seed: 1)
        // Strides larger than the rows.
        let (lda, ldb, ldc) = (inner + 3, columns + 1, columns + 2)
        let (a, b, c) = (
            random.floats(rows * lda + 1), random.floats(inner * ldb + 1), random.floats(rows * ldc + 1)
        )
        var expected = c.map(Double.init)
        for r in 0..<rows {
            for k in 0..<inner {
                for j in 0..<columns {
                    expected[r * ldc + j] += Double(a[r * lda + k]) * Double(b[k * ldb + j])
                }
            }
        }
        let (with, without) = (AlignedBuffer(c), AlignedBuffer(c))
        Blas.multiplyAdd(
            a, stride: lda, by: b, stride: ldb, to: with.base, stride: ldc, rows: rows, inner: inner,
            columns: columns)
        Blas.multiplyAddUnaided(
            a, stride: lda, by: b, stride: ldb, to: without.base, stride: ldc, rows: rows, inner: inner,
            columns: columns)
        #expect(relativeError(with.array, expected) < 1e-6)
        #expect(relativeError(without.array, expected) < 1e-6)
    }
}

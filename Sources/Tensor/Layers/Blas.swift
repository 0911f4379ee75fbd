import CKernels
import COpenBLAS

/// The one product that the plain layers are made of.
enum Blas {
    private static let isPrepared: Void = openblas_set_num_threads(1)

    /// Makes OpenBLAS single-threaded: the parallelism lies above it.
    static func prepare() { _ = isPrepared }

    /// C += A·B, all row-major: A `[rows, inner]`, B `[inner, columns]`, C `[rows, columns]`.
    static func multiplyAdd(
        _ a: UnsafePointer<Float>, stride lda: Int, by b: UnsafePointer<Float>, stride ldb: Int,
        to c: UnsafeMutablePointer<Float>, stride ldc: Int, rows: Int, inner: Int, columns: Int,
        transposed: Bool = false, scale: Float = 1, keep: Float = 1
    ) {
        cblas_sgemm(
            CblasRowMajor, CblasNoTrans, transposed ? CblasTrans : CblasNoTrans,
            numericCast(rows), numericCast(columns), numericCast(inner),
            scale, a, numericCast(lda), b, numericCast(ldb), keep, c, numericCast(ldc))
    }
}

/// How a `[rows, columns]` result is cut into tiles for the threads.
///
/// A function of the shape alone, never of the number of threads, so that the sums, and with them
/// the last bits, are the same on any number.
struct TileGrid {
    let rows: Int
    let columns: Int
    private let rowStep: Int
    private let columnStep: Int
    private let columnTiles: Int

    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        // Long signals are cut in time; short ones with many channels by columns, so that each
        // thread reads only its share of the weights.
        rowStep = 256
        columnStep = rows <= 256 && columns >= 128 ? (columns / 2 + 15) / 16 * 16 : columns
        columnTiles = (columns + columnStep - 1) / columnStep
    }

    var count: Int { (rows + rowStep - 1) / rowStep * columnTiles }

    subscript(index: Int) -> (row: Int, rows: Int, column: Int, columns: Int) {
        let row = index / columnTiles * rowStep
        let column = index % columnTiles * columnStep
        return (row, min(rowStep, rows - row), column, min(columnStep, columns - column))
    }
}

/// Sets each of the rows to `first` + `second`, either nil for zeros, or adds that to it.
func fillRows(
    _ target: UnsafeMutablePointer<Float>, stride: Int, rows: Int, columns: Int,
    with first: UnsafePointer<Float>?, and second: UnsafePointer<Float>? = nil, adding: Bool = false
) {
    if adding {
        for r in 0..<rows {
            let row = target + r * stride
            if let first { syrinx_add(row, first, row, columns) }
            if let second { syrinx_add(row, second, row, columns) }
        }
        return
    }
    for r in 0..<rows {
        let row = target + r * stride
        switch (first, second) {
        case (let a?, let b?): syrinx_add(a, b, row, columns)
        case (let a?, nil), (nil, let a?): row.update(from: a, count: columns)
        case (nil, nil): row.update(repeating: 0, count: columns)
        }
    }
}

import CKernels
import COpenBLAS
import Glibc

/// OpenBLAS, the oracle of this package's own products; opened when it is first needed, since loading it
/// starts threads of its own.
enum Blas {
    private typealias Multiply = @convention(c) (
        CBLAS_ORDER, CBLAS_TRANSPOSE, CBLAS_TRANSPOSE, blasint, blasint, blasint, Float, UnsafePointer<Float>?, blasint,
        UnsafePointer<Float>?, blasint, Float, UnsafeMutablePointer<Float>?, blasint
    ) -> Void
    private typealias SetThreads = @convention(c) (Int32) -> Void

    private static let sgemm: Multiply? = {
        guard let library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL),
            let multiply = dlsym(library, "cblas_sgemm"), let setThreads = dlsym(library, "openblas_set_num_threads")
        else { return nil }
        // The parallelism lies above it.
        unsafeBitCast(setThreads, to: SetThreads.self)(1)
        return unsafeBitCast(multiply, to: Multiply.self)
    }()

    /// C += A·B, all row-major: A `[rows, inner]`, B `[inner, columns]`, C `[rows, columns]`.
    static func multiplyAdd(
        _ a: UnsafePointer<Float>, stride lda: Int, by b: UnsafePointer<Float>, stride ldb: Int,
        to c: UnsafeMutablePointer<Float>, stride ldc: Int, rows: Int, inner: Int, columns: Int
    ) {
        guard let sgemm else {
            multiplyAddUnaided(
                a, stride: lda, by: b, stride: ldb, to: c, stride: ldc, rows: rows, inner: inner, columns: columns)
            return
        }
        sgemm(
            CblasRowMajor, CblasNoTrans, CblasNoTrans, numericCast(rows), numericCast(columns), numericCast(inner),
            1, a, numericCast(lda), b, numericCast(ldb), 1, c, numericCast(ldc))
    }
}

/// The same in plain Swift, for machines without OpenBLAS.
private func multiplyAddUnaided(
    _ a: UnsafePointer<Float>, stride lda: Int, by b: UnsafePointer<Float>, stride ldb: Int,
    to c: UnsafeMutablePointer<Float>, stride ldc: Int, rows: Int, inner: Int, columns: Int
) {
    for r in 0..<rows {
        for k in 0..<inner { syrinx_add_scaled(b + k * ldb, a[r * lda + k], c + r * ldc, columns) }
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

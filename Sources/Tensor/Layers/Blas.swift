import CKernels
import Glibc

/// OpenBLAS, the oracle of this package's own products; opened when it is first needed, since loading it
/// starts threads of its own.
///
/// Nothing links it and nothing but the plain form asks for it; where it is missing, `multiplyAddUnaided`
/// takes its place, correct and many times slower.
enum Blas {
    /// `cblas_sgemm`, whose enumerations are C's unsigned and whose sizes are C's int in Debian's library.
    private typealias Multiply =
        @convention(c) (
            CUnsignedInt, CUnsignedInt, CUnsignedInt, CInt, CInt, CInt, Float, UnsafePointer<Float>?, CInt,
            UnsafePointer<Float>?, CInt, Float, UnsafeMutablePointer<Float>?, CInt
        ) -> Void
    private typealias SetThreads = @convention(c) (CInt) -> Void

    private static let rowMajor: CUnsignedInt = 101
    private static let notTransposed: CUnsignedInt = 111

    private static let sgemm: Multiply? = {
        guard let library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL),
            let multiply = dlsym(library, "cblas_sgemm"),
            let setThreads = dlsym(library, "openblas_set_num_threads")
        else { return nil }
        // SAFETY: these are the declarations of cblas.h. One thread: the parallelism lies above it.
        unsafeBitCast(setThreads, to: SetThreads.self)(1)
        return unsafeBitCast(multiply, to: Multiply.self)
    }()

    /// Whether the library was found.
    static var isAvailable: Bool { sgemm != nil }

    /// C += A·B, all row-major: A `[rows, inner]`, B `[inner, columns]`, C `[rows, columns]`.
    static func multiplyAdd(
        _ a: UnsafePointer<Float>, stride lda: Int, by b: UnsafePointer<Float>, stride ldb: Int,
        to c: UnsafeMutablePointer<Float>, stride ldc: Int, rows: Int, inner: Int, columns: Int
    ) {
        guard let sgemm else {
            multiplyAddUnaided(
                a, stride: lda, by: b, stride: ldb, to: c, stride: ldc, rows: rows, inner: inner,
                columns: columns)
            return
        }
        sgemm(
            rowMajor, notTransposed, notTransposed, numericCast(rows), numericCast(columns),
            numericCast(inner),
            1, a, numericCast(lda), b, numericCast(ldb), 1, c, numericCast(ldc))
    }

    /// The same, row by row, for machines without OpenBLAS.
    static func multiplyAddUnaided(
        _ a: UnsafePointer<Float>, stride lda: Int, by b: UnsafePointer<Float>, stride ldb: Int,
        to c: UnsafeMutablePointer<Float>, stride ldc: Int, rows: Int, inner: Int, columns: Int
    ) {
        for r in 0..<rows {
            for k in 0..<inner { syrinx_add_scaled(b + k * ldb, a[r * lda + k], c + r * ldc, columns) }
        }
    }
}

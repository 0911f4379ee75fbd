import CKernels

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

import Glibc

/// (1 + cos πx) / 2 at evenly spaced x, by rotation.
struct RaisedCosine {
    private var real: Double
    private var imaginary: Double
    private let turn: (real: Double, imaginary: Double)

    init(at x: Double, step: Double) {
        (real, imaginary) = (cos(.pi * x), sin(.pi * x))
        turn = (cos(.pi * step), sin(.pi * step))
    }

    mutating func next() -> Double {
        let value = 0.5 + 0.5 * real
        (real, imaginary) = (
            real * turn.real - imaginary * turn.imaginary, real * turn.imaginary + imaginary * turn.real
        )
        return value
    }
}

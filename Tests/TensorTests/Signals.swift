import Tensor
import TestSupport

/// A window that holds `values`, `[T, C]`.
func window(_ values: [Float], channels: Int, padding: Int = 0) -> RowWindow {
    let window = RowWindow(rows: values.count / max(channels, 1), channels: channels, padding: padding)
    window.write(values.span, at: 0)
    return window
}

/// All rows of a window that holds them all.
func contents(_ window: RowWindow) -> [Float] { window.copy(rows: 0..<window.length) }

/// How far `computed` lies from a reference in double precision: the largest error as a part of the
/// reference's largest number. Infinite where the counts differ or a value is not a number.
func relativeError(_ computed: [Float], _ reference: [Double]) -> Double {
    guard computed.count == reference.count else { return .infinity }
    let size = reference.reduce(1e-30) { max($0, abs($1)) }
    var largest = 0.0
    for (a, b) in zip(computed, reference) {
        let error = abs(Double(a) - b)
        guard !error.isNaN else { return .infinity }
        largest = max(largest, error)
    }
    return largest / size
}

/// Makes rows readable in steps of random sizes and calls `body` after each; the input's rows so
/// arrive as in a stream.
func feed(_ values: [Float], into window: RowWindow, random: inout SeededGenerator, body: () -> Void) {
    let channels = window.channels
    while window.end < window.length {
        let count = min(Int.random(in: 1...9, using: &random), window.length - window.end)
        let first = window.end
        window.append(count)
        let rows = Array(values[first * channels..<(first + count) * channels])
        window.write(rows.span, at: first)
        body()
    }
}

import Foundation

/// Small plots in SVG.
enum Plot {
    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Points joined by a line, over axes with marks.
    static func line(_ points: [(x: Double, y: Double)], x: String, y: String) -> String {
        guard let right = points.map(\.x).max(), let top = points.map(\.y).max(), right > 0 else { return "" }
        let axes = Axes(x: 0...right, y: min(0, points.map(\.y).min() ?? 0)...max(top, 1e-9))
        let path = points.map { "\(number(axes.horizontal($0.x))),\(number(axes.vertical($0.y)))" }
        return picture(
            axes.marks(x: x, y: y)
                + "<polyline fill=\"none\" stroke=\"#36c\" stroke-width=\"2\" points=\"\(path.joined(separator: " "))\"/>"
        )
    }

    /// How many values lie in each of 40 pieces of their range.
    static func histogram(_ values: [Double], x: String, y: String) -> String {
        guard let low = values.min(), let high = values.max() else { return "" }
        let bins = 40
        let width = max(high - low, 1e-9) / Double(bins)
        var counts = [Int](repeating: 0, count: bins)
        for value in values { counts[min(bins - 1, Int((value - low) / width))] += 1 }
        let axes = Axes(x: low...low + width * Double(bins), y: 0...Double(counts.max() ?? 1))
        let bars = counts.enumerated().map { index, count in
            let (left, right) = (low + width * Double(index), low + width * Double(index + 1))
            let (top, bottom) = (axes.vertical(Double(count)), axes.vertical(0))
            return rectangle(
                axes.horizontal(left), top, axes.horizontal(right) - axes.horizontal(left) - 1, bottom - top)
        }
        return picture(axes.marks(x: x, y: y) + bars.joined())
    }

    static func bars(_ values: [(label: String, value: Double)]) -> String {
        let most = max(values.map(\.value).max() ?? 0, 1e-9)
        let step = 24.0
        let rows = values.enumerated().map { index, item in
            let y = Double(index) * step
            return rectangle(130, y + 3, 640 * item.value / most, step - 6)
                + "<text x=\"124\" y=\"\(number(y + 17))\" text-anchor=\"end\" font-size=\"13\">\(escaped(item.label))</text>"
                + "<text x=\"\(number(136 + 640 * item.value / most))\" y=\"\(number(y + 17))\" font-size=\"13\">\(number(item.value))</text>"
        }.joined()
        return "<svg viewBox=\"0 0 900 \(number(Double(values.count) * step))\">\(rows)</svg>"
    }

    /// The smallest and largest sample of each of so many pieces.
    static func envelope(_ samples: [Float], columns: Int) -> [(low: Float, high: Float)] {
        guard !samples.isEmpty else { return [] }
        return (0..<columns).map { column in
            let piece = samples[
                samples.count * column
                    / columns..<max(samples.count * (column + 1) / columns, samples.count * column / columns)]
            return (piece.min() ?? 0, piece.max() ?? 0)
        }
    }

    /// - Parameter seconds: the length of what is shown.
    static func waveform(_ envelope: [(low: Float, high: Float)], seconds: Double) -> String {
        let lines = envelope.enumerated().map { x, piece in
            let top = 80 - 80 * Double(piece.high)
            return rectangle(Double(x), top, 1, max(1, 80 - 80 * Double(piece.low) - top))
        }.joined()
        return "<svg viewBox=\"0 0 900 160\">\(lines)</svg>\(scale(seconds))"
    }

    /// Marks of time below a picture that has no margins.
    static func scale(_ seconds: Double) -> String {
        let marks = Axes.marks(in: 0...max(seconds, 1e-9)).map { second in
            let x = number(900 * second / max(seconds, 1e-9))
            let anchor = second == 0 ? "start" : "middle"
            return
                "<path d=\"M\(x) 0v5\" stroke=\"#888\"/><text x=\"\(x)\" y=\"19\" text-anchor=\"\(anchor)\" font-size=\"13\">\(Axes.label(second)) s</text>"
        }.joined()
        return "<svg viewBox=\"0 0 900 24\">\(marks)</svg>"
    }

    private static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" fill=\"#36c\"/>"
    }

    private static func picture(_ content: String) -> String {
        "<svg viewBox=\"0 0 \(number(Axes.width)) \(number(Axes.height))\">\(content)</svg>"
    }

    static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}

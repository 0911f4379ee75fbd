import Foundation

/// Small plots in SVG.
enum Plot {
    private static let width = 900.0
    private static let height = 260.0
    private static let margin = 46.0

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    static func line(_ points: [(x: Double, y: Double)], x: String, y: String) -> String {
        guard let right = points.map(\.x).max(), let top = points.map(\.y).max(), right > 0 else { return "" }
        let bottom = min(0, points.map(\.y).min() ?? 0)
        let path = points.map { point in
            "\(number(margin + (width - 2 * margin) * point.x / right)),"
                + number(height - margin - (height - 2 * margin) * (point.y - bottom) / max(top - bottom, 1e-9))
        }.joined(separator: " ")
        return frame(
            "<polyline fill=\"none\" stroke=\"#36c\" stroke-width=\"2\" points=\"\(path)\"/>",
            right: "\(x): \(number(right))", top: "\(y): \(number(top))")
    }

    static func histogram(_ values: [Double], x: String) -> String {
        guard let low = values.min(), let high = values.max() else { return "" }
        let bins = 40
        var counts = [Int](repeating: 0, count: bins)
        for value in values { counts[min(bins - 1, Int((value - low) / max(high - low, 1e-9) * Double(bins)))] += 1 }
        let most = Double(counts.max() ?? 1)
        let step = (width - 2 * margin) / Double(bins)
        let bars = counts.enumerated().map { index, count in
            let tall = (height - 2 * margin) * Double(count) / most
            return rectangle(margin + Double(index) * step, height - margin - tall, step - 1, tall)
        }.joined()
        return frame(bars, right: "\(number(low)) to \(number(high)) \(x)", top: "\(Int(most)) steps")
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
            let piece = samples[samples.count * column / columns..<max(samples.count * (column + 1) / columns, samples.count * column / columns)]
            return (piece.min() ?? 0, piece.max() ?? 0)
        }
    }

    static func waveform(_ envelope: [(low: Float, high: Float)]) -> String {
        let lines = envelope.enumerated().map { x, piece in
            let top = 80 - 80 * Double(piece.high)
            return rectangle(Double(x), top, 1, max(1, 80 - 80 * Double(piece.low) - top))
        }.joined()
        return "<svg viewBox=\"0 0 900 160\">\(lines)</svg>"
    }

    private static func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> String {
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" fill=\"#36c\"/>"
    }

    private static func frame(_ content: String, right: String, top: String) -> String {
        """
        <svg viewBox="0 0 \(number(width)) \(number(height))">\(content)
        <path d="M\(number(margin)) \(number(margin))V\(number(height - margin))H\(number(width - margin))" fill="none" stroke="#888"/>
        <text x="\(number(width - margin))" y="\(number(height - margin + 20))" text-anchor="end" font-size="13">\(escaped(right))</text>
        <text x="\(number(margin))" y="\(number(margin - 10))" font-size="13">\(escaped(top))</text></svg>
        """
    }

    private static func number(_ value: Double) -> String { String(format: "%.2f", value) }
}

import Foundation

/// Where values lie in a plot, and the marks beside it.
struct Axes {
    static let width = 900.0
    static let height = 260.0
    private static let margin = 46.0

    let x: ClosedRange<Double>
    let y: ClosedRange<Double>

    func horizontal(_ value: Double) -> Double {
        Self.place(value, in: x, from: Self.margin, to: Self.width - Self.margin)
    }

    func vertical(_ value: Double) -> Double {
        Self.place(value, in: y, from: Self.height - Self.margin, to: Self.margin)
    }

    private static func place(_ value: Double, in range: ClosedRange<Double>, from: Double, to: Double)
        -> Double
    {
        from + (to - from) * (value - range.lowerBound) / max(range.upperBound - range.lowerBound, 1e-12)
    }

    /// Both axes, with round numbers along them and the given names at their ends.
    func marks(x name: String, y other: String) -> String {
        let (left, right) = (horizontal(x.lowerBound), horizontal(x.upperBound))
        let (bottom, top) = (vertical(y.lowerBound), vertical(y.upperBound))
        let n = Plot.number
        var parts = [
            "<path d=\"M\(n(left)) \(n(top))V\(n(bottom))H\(n(right))\" fill=\"none\" stroke=\"#888\"/>",
            Self.text(name, right, bottom + 36, "end"), Self.text(other, left, top - 10, "start"),
        ]
        for value in Self.marks(in: x) {
            parts.append("<path d=\"M\(n(horizontal(value))) \(n(bottom))v5\" stroke=\"#888\"/>")
            parts.append(Self.text(Self.label(value), horizontal(value), bottom + 19, "middle"))
        }
        for value in Self.marks(in: y) {
            parts.append("<path d=\"M\(n(left)) \(n(vertical(value)))h-5\" stroke=\"#888\"/>")
            parts.append(Self.text(Self.label(value), left - 8, vertical(value) + 4, "end"))
        }
        return parts.joined()
    }

    private static func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
        "<text x=\"\(Plot.number(x))\" y=\"\(Plot.number(y))\" text-anchor=\"\(anchor)\" font-size=\"13\">\(Plot.escaped(text))</text>"
    }

    /// Four to ten round numbers in a range: multiples of 1, 2 or 5 times a power of ten.
    static func marks(in range: ClosedRange<Double>) -> [Double] {
        let length = range.upperBound - range.lowerBound
        guard length > 0, length.isFinite else { return [] }
        let power = pow(10, (log10(length) - 1).rounded(.down))
        let step = [1, 2, 5, 10, 20, 50].map { $0 * power }.first { length / $0 <= 10 } ?? length
        let (first, last) = ((range.lowerBound / step).rounded(.up), (range.upperBound / step).rounded(.down))
        guard first <= last else { return [] }
        return (Int(first)...Int(last)).map { Double($0) * step }
    }

    static func label(_ value: Double) -> String { String(format: "%g", (value * 1e6).rounded() / 1e6) }
}

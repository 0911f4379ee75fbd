/// The frequency responses of several resamplers as an SVG drawing: the whole range down to -200 dB,
/// and above it the pass band in hundredths of a decibel.
struct ResamplePlot {
    let title: String
    /// The lower Nyquist frequency, in hertz.
    let nyquist: Double
    let curves: [(name: String, measurement: ResampleMeasurement)]

    private static let colours = [
        "#0b6e99", "#0a9d58", "#7b3fa0", "#d9480f", "#c2255c", "#868e96", "#5c940d",
    ]

    func svg() -> String {
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"960\" height=\"800\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"960\" height=\"800\" fill=\"white\"/>",
            "<text x=\"70\" y=\"28\" font-size=\"16\">\(title)</text>",
        ]
        lines += panel(
            Panel(top: 60, height: 190, decibels: -0.05...0.01, step: 0.01, hertz: 0...nyquist),
            label: "pass band, dB")
        let span = curves.first?.measurement.span ?? nyquist
        lines += panel(
            Panel(top: 300, height: 420, decibels: -200...10, step: 20, hertz: 0...span),
            label: "response, dB")
        for (index, curve) in curves.enumerated() {
            let (x, y) = (70 + index % 4 * 220, 760 + index / 4 * 20)
            let colour = Self.colours[index % Self.colours.count]
            lines.append("<rect x=\"\(x)\" y=\"\(y - 9)\" width=\"18\" height=\"4\" fill=\"\(colour)\"/>")
            lines.append("<text x=\"\(x + 24)\" y=\"\(y)\">\(curve.name)</text>")
        }
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private struct Panel {
        let top: Double
        let height: Double
        let decibels: ClosedRange<Double>
        let step: Double
        let hertz: ClosedRange<Double>
        let left = 70.0
        let width = 860.0

        func x(_ frequency: Double) -> Double {
            left + width * (frequency - hertz.lowerBound) / (hertz.upperBound - hertz.lowerBound)
        }

        func y(_ level: Double) -> Double {
            let inside = min(max(level, decibels.lowerBound), decibels.upperBound)
            return top + height * (decibels.upperBound - inside) / (decibels.upperBound - decibels.lowerBound)
        }
    }

    private func panel(_ panel: Panel, label: String) -> [String] {
        var lines = ["<text x=\"\(panel.left)\" y=\"\(tenths(panel.top - 8))\">\(label)</text>"]
        var level = panel.decibels.lowerBound
        while level <= panel.decibels.upperBound + panel.step / 2 {
            let y = tenths(panel.y(level))
            lines.append(
                "<path d=\"M\(panel.left) \(y)H\(panel.left + panel.width)\" stroke=\"#ddd\"/>"
                    + "<text x=\"64\" y=\"\(y)\" text-anchor=\"end\">\(hundredths(level))</text>")
            level += panel.step
        }
        var frequency = 0.0
        while frequency <= panel.hertz.upperBound {
            let x = tenths(panel.x(frequency))
            lines.append(
                "<path d=\"M\(x) \(panel.top)v\(panel.height)\" stroke=\"#eee\"/><text x=\"\(x)\" "
                    + "y=\"\(panel.top + panel.height + 16)\" text-anchor=\"middle\">"
                    + "\(Int(frequency / 1000)) kHz</text>")
            frequency += panel.hertz.upperBound > 16_000 ? 4000 : 1000
        }
        let edge = tenths(panel.x(nyquist))
        lines.append(
            "<path d=\"M\(edge) \(panel.top)v\(panel.height)\" stroke=\"#555\" stroke-dasharray=\"4 3\"/>")
        for (index, curve) in curves.enumerated() {
            let count = curve.measurement.response.count
            let points = curve.measurement.response.enumerated().compactMap { point, value -> String? in
                let frequency = curve.measurement.span * Double(point) / Double(count - 1)
                guard panel.hertz.contains(frequency) else { return nil }
                return "\(tenths(panel.x(frequency))),\(tenths(panel.y(value)))"
            }
            lines.append(
                "<polyline fill=\"none\" stroke=\"\(Self.colours[index % Self.colours.count])\" "
                    + "stroke-width=\"1.2\" points=\"\(points.joined(separator: " "))\"/>")
        }
        return lines
    }

    private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
    private func hundredths(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}

import Foundation

/// Lead against time as an SVG picture.
struct LeadPlot {
    let runs: [PlaybackRun]

    private let width = 760.0
    private let height = 360.0
    private let left = 50.0
    private let bottom = 40.0
    private let colours = ["#1f6fb4", "#c4432b", "#2c8a4b", "#8a5aa8", "#b8860b", "#555555", "#0aa0a0", "#d0488f"]

    var svg: String {
        let end = max(1, runs.flatMap(\.leads).map(\.time).max() ?? 1)
        let top = max(1, runs.map(\.largestLead).max() ?? 1)
        func x(_ time: Double) -> Double { left + time / end * (width - left - 10) }
        func y(_ lead: Double) -> Double { height - bottom - lead / top * (height - bottom - 10) }
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \#(Int(width)) \#(Int(height))" font-family="sans-serif" font-size="12">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
        ]
        let step = end > 12 ? 5.0 : 1
        for time in stride(from: 0, through: end, by: step) {
            lines.append(text(x(time), height - bottom + 16, "\(Int(time))", anchor: "middle"))
        }
        for lead in stride(from: 0, through: top, by: top > 8 ? 5.0 : 1) {
            lines.append(rule(left, y(lead), width - 10, y(lead)))
            lines.append(text(left - 6, y(lead) + 4, "\(Int(lead))", anchor: "end"))
        }
        lines.append(text((left + width) / 2, height - 6, "seconds since the call", anchor: "middle"))
        lines.append(text(6, 20, "lead, s", anchor: "start"))
        for (index, run) in runs.enumerated() {
            let points = run.leads.map { String(format: "%.1f,%.1f", x($0.time), y($0.lead)) }.joined(separator: " ")
            let colour = colours[index % colours.count]
            lines.append(#"<polyline fill="none" stroke="\#(colour)" stroke-width="1.5" points="\#(points)"/>"#)
            let label = "\(run.strategyName), \(run.speedName)"
            lines.append(text(width - 20, 24 + 16 * Double(index), label, anchor: "end", colour: colour))
        }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func text(_ x: Double, _ y: Double, _ text: String, anchor: String, colour: String = "#333") -> String {
        String(format: #"<text x="%.1f" y="%.1f" text-anchor="%@" fill="%@">%@</text>"#, x, y, anchor, colour, text)
    }

    private func rule(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        String(format: #"<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%@"/>"#, x1, y1, x2, y2, "#ddd")
    }
}

import Foundation

/// The figures with plots, as one HTML file without scripts or links.
struct BenchPage {
    let html: String

    init(_ report: BenchReport, _ measurement: Measurement, sampleRate: Int) {
        let table = BenchTable(report).text
        let stages = report.stages.map { (label: $0.name, value: $0.seconds * 1000) }
        let first = measurement.arrivals.first?.time ?? 0
        // What is queued just after each step, playback having started with the first samples.
        let lead = measurement.arrivals.map { (x: $0.time, y: $0.audio - ($0.time - first)) }
        let envelope = Plot.envelope(measurement.samples, columns: 900)
        let seconds = Double(measurement.samples.count) / Double(sampleRate)
        let parts = [
            ("Lead against time", Plot.line(lead, x: "time, s", y: "lead, s")),
            (
                "Steps after the first",
                Plot.histogram(measurement.steps.map { $0 * 1000 }, x: "time of a step, ms", y: "steps")
            ),
            ("Stages, ms a run", Plot.bars(stages)),
            ("Waveform", Plot.waveform(envelope, seconds: seconds)),
            (
                "Spectrogram, 0 to \(sampleRate / 2) Hz",
                Spectrogram(measurement.samples).image + Plot.scale(seconds)
            ),
        ]
        html = """
            <!doctype html><html lang="en"><meta charset="utf-8"><title>tts-bench: \(Plot.escaped(report.voice))</title>
            <style>body{font:15px sans-serif;max-width:960px;margin:2em auto}pre{overflow-x:auto}svg,img{width:100%}</style>
            <h1>\(Plot.escaped(report.voice))</h1><pre>\(Plot.escaped(table))</pre>
            \(parts.map { "<h2>\($0.0)</h2>\($0.1)" }.joined(separator: "\n"))
            </html>
            """
    }
}

import Foundation

/// The figures for a person at a terminal.
struct BenchTable {
    let text: String

    init(_ report: BenchReport, phonemeSeconds: Double?) {
        func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1000) }
        func spread(_ d: Distribution) -> String {
            "\(milliseconds(d.median))   (min \(milliseconds(d.minimum)), p95 \(milliseconds(d.p95)), max \(milliseconds(d.maximum)))"
        }
        var lines = [
            "\(report.voice), \(report.threads) thread\(report.threads == 1 ? "" : "s"), \(report.kernels) kernels, \(report.cpu)",
            "\(report.sentences) sentences, \(report.ids) ids, \(String(format: "%.2f", report.audioSeconds)) s of audio, \(report.runs) runs",
            "peak of a core: \(String(format: "%.1f", report.peak.fma)) GFLOP/s of multiply-adds, \(String(format: "%.1f", report.peak.gemm)) of a product",
            "",
            "model load            \(spread(report.modelLoad))",
        ]
        if let process = report.processToFirstAudio { lines.append("process to 1st audio  \(spread(process))") }
        lines += [
            "1st audio, warm       \(spread(report.timeToFirstAudio))",
            "whole                 \(spread(report.total))",
            "RTF                   \(String(format: "%.4f", report.rtf.median))   (min \(String(format: "%.4f", report.rtf.minimum)))",
            "speed                 \(String(format: "%.1f", report.speedFactor.median)) × real time",
        ]
        if let step = report.step {
            lines.append("step                  \(spread(step)) for \(milliseconds(report.audioPerStep)) of audio")
        }
        lines += ["", "stage             ms a run   ms/s audio   GFLOP   GFLOP/s   of peak"]
        if let phonemeSeconds { lines.append(String(format: "%-16@ %9.2f", "phonemes" as NSString, phonemeSeconds * 1000)) }
        for stage in report.stages {
            lines.append(
                stage.name.padding(toLength: 16, withPad: " ", startingAt: 0)
                    + String(
                        format: " %9.2f %12.2f %7.2f %9.1f %8.0f %%", stage.seconds * 1000,
                        stage.seconds * 1000 / report.audioSeconds, stage.gflop, stage.gflops, stage.shareOfPeak * 100))
        }
        lines += [
            "",
            String(
                format: "buffer before playback: exact %.3f s, TTSKit's formula %.3f s, documented formula %.3f s",
                report.buffers.exact, report.buffers.ttskit, report.buffers.documented),
            String(format: "peak memory %.1f MB, %.2f allocations a step", Double(report.peakMemoryBytes) / 1e6, report.allocationsPerStep),
        ]
        text = lines.joined(separator: "\n")
    }
}

import Foundation

/// The figures for a person at a terminal.
struct BenchTable {
    let text: String

    init(_ report: BenchReport) {
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
        if report.processToFirstAudio.count > 0 {
            lines.append("process to 1st audio  \(spread(report.processToFirstAudio))")
        }
        lines += [
            "1st audio, warm       \(spread(report.timeToFirstAudio))",
            "whole                 \(spread(report.total))",
            "RTF                   \(String(format: "%.4f", report.rtf.median))   (min \(String(format: "%.4f", report.rtf.minimum)))",
            "speed                 \(String(format: "%.1f", report.speedFactor.median)) × real time",
        ]
        if report.step.count > 0 {
            lines.append(
                "step                  \(spread(report.step)), p99 \(milliseconds(report.step.p99)),")
            lines.append("                      for \(milliseconds(report.audioPerStep)) of audio")
        }
        if report.threads > 1 {
            lines += ["", "of each stage the processor time: that of all threads together"]
        }
        lines += ["", "stage             ms a run       RTF   × real time   GFLOP   GFLOP/s   of peak"]
        for stage in report.stages {
            lines.append(
                stage.name.padding(toLength: 16, withPad: " ", startingAt: 0)
                    + String(
                        format: " %9.2f %9.5f %13.0f", stage.seconds * 1000, stage.rtf, stage.speedFactor)
                    + (stage.gflop == 0
                        ? ""
                        : String(
                            format: " %7.2f %9.1f %7.0f %%", stage.gflop, stage.gflops,
                            stage.shareOfPeak * 100)))
        }
        if report.stages.contains(where: { $0.shareOfPeak > 1 }) {
            lines.append(
                "(above 100 %: a fast convolution does fewer operations than the layer is defined by)")
        }
        lines += [
            "",
            String(
                format:
                    "buffer before playback: exact %.3f s, TTSKit's formula %.3f s, documented formula %.3f s",
                report.buffers.exact, report.buffers.ttskit, report.buffers.documented),
            String(
                format: "peak memory %.1f MB, %.2f allocations a step", Double(report.peakMemoryBytes) / 1e6,
                report.allocationsPerStep),
        ]
        let outside = report.accuracy.filter { !$0.isWithinBounds }.map { "\($0.name) \($0.tensor)" }
        if let least = report.accuracy.filter({ $0.tensor == "audio" }).map({ $0.signalToNoise ?? .infinity })
            .min()
        {
            let bounds =
                outside.isEmpty
                ? "all tensors within bounds" : "OUT OF BOUNDS: \(outside.joined(separator: ", "))"
            lines.append(String(format: "accuracy: audio %.1f dB or better, \(bounds)", least))
        }
        text = lines.joined(separator: "\n")
    }
}

import Arguments
import Foundation
import Golden
import Tensor
import VITS

/// `tts-bench golden VOICE.onnx CASE_DIR…`: holds the inference against reference tensors.
enum GoldenCommand {
    private static let voice = Parameter.argument(
        "VOICE.onnx", as: .path, help: "the voice that the cases were made with")
    private static let cases = Parameter.arguments(
        "CASE_DIR", as: .path, atLeastOne: true,
        help: "folders with a case.json, or folders of such folders")
    private static let step = Parameter.option(
        "step", as: .integer(in: 1...1_000_000), otherwise: "all at once", help: "frames a step of the decoder")
    private static let threads = Parameter.option(
        "threads", as: .integer(in: 1...256), default: 1, help: "threads to use")

    private static let plain = Parameter.flag(
        "plain", help: "layer by layer over OpenBLAS, without the fast kernels")

    static let command = Command(
        name: "golden", summary: "Compare every stage with ONNX Runtime's tensors.",
        discussion: "A case begins with ids, the numbers that the voice takes for phonemes; they are counted first.",
        groups: [
            ParameterGroup("Arguments", [voice, cases]), ParameterGroup("Options", [step, threads, plain]),
        ],
        examples: [Example("tts-bench golden voice.onnx Tests/Golden/joe", "check all cases of a voice")]
    ) { arguments in
        let folders = try caseFolders(arguments[cases])
        let model = try open(arguments[voice], arguments[plain] ? .plain : .automatic)
        let workers = WorkerPool(threads: arguments[threads])
        var broken = 0
        var hints: Set<String> = []
        for folder in folders {
            let golden = try GoldenCase(folder: folder)
            try StandardStream.print("\(golden.name): \(golden.ids.count) ids, \(golden.frames) frames")
            let comparisons: [GoldenComparison]
            do { comparisons = try golden.run(model, step: arguments[step], workers: workers) } catch {
                throw GoldenError(
                    "\(error)\(hint(golden, arguments[voice]))",
                    kind: (error as? GoldenError)?.kind ?? .damaged)
            }
            for comparison in comparisons { try StandardStream.print(line(for: comparison)) }
            let outside = comparisons.count { !$0.isWithinBounds }
            if outside > 0 { hints.insert(hint(golden, arguments[voice])) }
            broken += outside
        }
        if broken > 0 {
            throw GoldenError("\(broken) tensors are out of bounds" + hints.sorted().joined())
        }
    }

    private static func open(_ path: String, _ execution: VITSModel.Execution) throws -> VITSModel {
        do { return try VITSModel(contentsOf: path, execution: execution) } catch {
            let exists = FileManager.default.fileExists(atPath: path)
            throw GoldenError("cannot use the voice \(path): \(error)", kind: exists ? .damaged : .missing)
        }
    }

    /// What may be the matter: another voice than the case was made with.
    private static func hint(_ golden: GoldenCase, _ path: String) -> String {
        guard let voice = golden.voice, URL(fileURLWithPath: path).lastPathComponent != voice else {
            return ""
        }
        return "; the case was made with voice \(voice)"
    }

    private static func line(for comparison: GoldenComparison) -> String {
        let name = comparison.tensor.padding(toLength: 8, withPad: " ", startingAt: 0)
        let error = String(format: "%9.2e", comparison.maximumError)
        let ratio =
            comparison.signalToNoise == .infinity
            ? "   exact" : String(format: "%5.1f dB", comparison.signalToNoise)
        return
            "  \(name) max error \(error)  SNR \(ratio)  \(comparison.isWithinBounds ? "ok" : "OUT OF BOUNDS")"
    }

    /// The folders themselves where they hold a case, otherwise those inside them that do.
    static func caseFolders(_ paths: [String]) throws -> [String] {
        try paths.flatMap { path in
            if FileManager.default.fileExists(atPath: path + "/case.json") { return [path] }
            let inside = ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
                .map { path + "/" + $0 }
                .filter { FileManager.default.fileExists(atPath: $0 + "/case.json") }
            guard !inside.isEmpty else { throw GoldenError("no case.json in \(path)", kind: .missing) }
            return inside
        }
    }
}

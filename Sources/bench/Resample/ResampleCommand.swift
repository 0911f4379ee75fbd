import Arguments
import DSP
import Glibc

/// `tts-bench resample`: quality and speed of this package's resampler beside libsoxr's and
/// libsamplerate's, in one run and one thread.
struct ResampleCommand {
    var inputRate = 22_050.0
    var outputRate = 24_000.0
    /// Length of the recording that is timed.
    var seconds = 60.0
    /// Times that every contender is timed, taking turns; the best counts.
    var rounds = 9
    /// Where the frequency responses are drawn, if anywhere.
    var plotPath: String?

    private static let from = Parameter.option(
        "from", as: .integer(in: 1000...768_000), default: 22_050, help: "the input's rate in hertz")
    private static let to = Parameter.option(
        "to", as: .integer(in: 1000...768_000), default: 24_000, help: "the output's rate in hertz")
    private static let length = Parameter.option(
        "seconds", as: .integer(in: 1...3600), default: 60, help: "length of the recording that is timed")
    private static let turns = Parameter.option(
        "rounds", as: .integer(in: 1...1000), default: 9, help: "times that each is timed; the best counts")
    private static let plot = Parameter.option(
        "plot", as: .path, help: "draw the frequency responses to this SVG file")

    static let command = Command(
        name: "resample", summary: "Compare the resampler with libsoxr and libsamplerate.",
        groups: [ParameterGroup("Options", [from, to, length, turns, plot])],
        examples: [Example("tts-bench resample --plot response.svg", "22 050 to 24 000 Hz, with a drawing")]
    ) { arguments in
        let resample = ResampleCommand(
            inputRate: Double(arguments[from]), outputRate: Double(arguments[to]),
            seconds: Double(arguments[length]), rounds: arguments[turns], plotPath: arguments[plot])
        do { try StandardStream.print(resample.run()) } catch let error as DSPError {
            guard case .unsupportedRatio = error else { throw error }
            throw arguments.usageError("--from \(arguments[from]), --to \(arguments[to]): \(error)")
        }
    }

    /// Measures, and returns the table. Writes the plot if asked to.
    func run() throws -> String {
        var contenders: [any ResampleContender] = []
        var absent: [String] = []
        for quality in ResamplerQuality.allCases {
            contenders.append(
                SyrinxResampler(
                    filter: try ResamplerFilter(from: inputRate, to: outputRate, quality: quality)))
        }
        for recipe in [SoxrResampler.Recipe.high, .veryHigh] {
            if let soxr = SoxrResampler(recipe, from: inputRate, to: outputRate) { contenders.append(soxr) }
        }
        if contenders.count == 3 { absent.append("libsoxr is not installed (Debian: libsoxr0)") }
        let known = contenders.count
        for converter in [SampleRateResampler.Converter.best, .medium] {
            if let other = SampleRateResampler(converter, from: inputRate, to: outputRate) {
                contenders.append(other)
            }
        }
        if contenders.count == known {
            absent.append("libsamplerate is not installed (Debian: libsamplerate0)")
        }

        // 9 kHz where the lower rate carries it.
        let tones = [1000, min(9000, 0.45 * min(inputRate, outputRate))]
        let measurements = try contenders.map { contender in
            try ResampleMeasurement(contender, from: inputRate, to: outputRate, tones: tones)
        }
        let speeds = try self.speeds(contenders)
        if let plotPath {
            let plot = ResamplePlot(
                title: "\(Int(inputRate)) to \(Int(outputRate)) Hz", nyquist: min(inputRate, outputRate) / 2,
                curves: zip(contenders, measurements).map { ($0.name, $1) })
            try write(plot.svg(), to: plotPath)
        }

        var lines = [
            "\(Int(inputRate)) to \(Int(outputRate)) Hz, mono float32, one thread; speed: best of \(rounds) turns over"
                + " \(Int(seconds)) s of noise",
            "",
            row(
                "",
                ["ripple dB", "stop band dB"] + tones.map { "THD+N \(fixed($0 / 1000, 1)) k" } + [
                    "x real time"
                ]),
        ]
        for (index, contender) in contenders.enumerated() {
            let measured = measurements[index]
            lines.append(
                row(
                    contender.name,
                    [
                        fixed(measured.ripple, 4), fixed(measured.stopBand, 1),
                        fixed(measured.distortion[0], 1),
                        fixed(measured.distortion[1], 1), fixed(speeds[index], 0),
                    ]))
        }
        return (lines + absent).joined(separator: "\n")
    }

    /// × real time of each contender. They take turns, so that a slow moment of the machine meets all.
    private func speeds(_ contenders: [any ResampleContender]) throws -> [Double] {
        var generator = SystemRandomNumberGenerator()
        let input = (0..<Int(inputRate * seconds)).map { _ in Float.random(in: -0.5...0.5, using: &generator)
        }
        var best = [Double](repeating: .infinity, count: contenders.count)
        for _ in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                best[index] = min(best[index], try contender.time(input))
            }
        }
        return best.map { seconds / $0 }
    }

    private func row(_ name: String, _ cells: [String]) -> String {
        let width = 14
        return name + String(repeating: " ", count: max(0, 24 - name.count))
            + cells.map { String(repeating: " ", count: max(1, width - $0.count)) + $0 }.joined()
    }

    private func fixed(_ value: Double, _ digits: Int) -> String {
        let scale = pow(10, Double(digits))
        let rounded = (abs(value) * scale).rounded()
        let whole = Int(rounded / scale)
        let sign = value < 0 && rounded > 0 ? "-" : ""
        guard digits > 0 else { return "\(sign)\(whole)" }
        let fraction = String(Int(rounded) - whole * Int(scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: digits - fraction.count) + fraction
    }

    private func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "w") else { throw ResampleFailure.unwritable(path: path) }
        let written = text.withCString { fputs($0, file) }
        guard fclose(file) == 0, written >= 0 else { throw ResampleFailure.unwritable(path: path) }
    }
}

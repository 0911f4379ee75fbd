import Foundation
import Testing

/// Results as `tts-bench run --json` writes them, made better and worse by hand.
@Suite("tts-bench compare")
struct BenchTests {
    private static let distribution: [String: Double] = [
        "median": 0.1, "p95": 0.101, "p99": 0.101, "minimum": 0.099, "maximum": 0.101, "count": 10,
    ]

    /// A result, after `change` has had its way with it.
    private func result(_ change: (inout [String: Any]) -> Void = { _ in }) throws -> Data {
        var report: [String: Any] = [
            "version": 1, "voice": "joe", "cpu": "a processor", "kernels": "avx2", "threads": 1, "runs": 10,
            "sentences": 1, "ids": 31, "audioSeconds": 1, "audioPerStep": 0.2, "stages": [Any](),
            "peak": ["fma": 100, "gemm": 90], "peakMemoryBytes": 100_000_000, "allocationsPerStep": 0,
            "buffers": ["exact": 0, "ttskit": 0, "documented": 0],
            "accuracy": [
                ["name": "fox", "tensor": "audio", "signalToNoise": 95, "isWithinBounds": true],
                ["name": "fox", "tensor": "w_ceil", "isWithinBounds": true],
            ],
        ]
        for name in [
            "modelLoad", "processToFirstAudio", "timeToFirstAudio", "total", "rtf", "speedFactor", "step",
        ] {
            report[name] = Self.distribution
        }
        change(&report)
        return try JSONSerialization.data(withJSONObject: report)
    }

    private func compare(_ before: Data, _ after: Data, _ options: [String] = []) throws -> Shell.Result {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (a, b) = (folder.appendingPathComponent("a.json"), folder.appendingPathComponent("b.json"))
        try before.write(to: a)
        try after.write(to: b)
        return try Shell.run(["compare"] + options + [a.path, b.path], program: "tts-bench")
    }

    private func accuracy(_ audio: Double?, exact: Double? = nil, isWithinBounds: Bool = true) -> [[String:
        Any]]
    {
        var tensors: [[String: Any]] = [
            ["name": "fox", "tensor": "audio", "isWithinBounds": isWithinBounds],
            ["name": "fox", "tensor": "w_ceil", "isWithinBounds": true],
        ]
        tensors[0]["signalToNoise"] = audio
        tensors[1]["signalToNoise"] = exact
        return tensors
    }

    @Test("The same figures are no worse")
    func same() throws {
        let run = try compare(result(), result())
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }

    @Test("Each kind of figure that became worse is named, with exit code 1, and only where it is asked for")
    func kinds() throws {
        var slow = Self.distribution
        for key in ["median", "p95", "p99", "minimum", "maximum"] { slow[key] = 2 * (slow[key] ?? 0) }
        let changes: [(kind: String, name: String, change: (inout [String: Any]) -> Void)] = [
            ("times", "real-time factor (rtf.median): 0.1 → 0.2, +100.0 %", { $0["rtf"] = slow }),
            ("times", "time of a step (step.median): 100 ms → 200 ms, +100.0 %", { $0["step"] = slow }),
            (
                "memory", "peak memory (peakMemoryBytes): 100 MB → 110 MB, +10.0 %",
                { $0["peakMemoryBytes"] = 110_000_000 }
            ),
            ("allocations", "allocations a step (allocationsPerStep): 0 → 0.01\n", { $0["allocationsPerStep"] = 0.01 }),
            ("accuracy", "fox audio: 95.0 dB → 88.0 dB", { $0["accuracy"] = accuracy(88) }),
            ("accuracy", "out of bounds", { $0["accuracy"] = accuracy(94, isWithinBounds: false) }),
            ("accuracy", "fox w_ceil: exact → 120.0 dB", { $0["accuracy"] = accuracy(95, exact: 120) }),
            ("accuracy", "fox audio: not measured", { $0["accuracy"] = [Any]() }),
        ]
        for (kind, name, change) in changes {
            let worse = try result(change)
            for options in [
                [], ["--only", kind], ["--only", "\(kind),\(kind == "memory" ? "times" : "memory")"],
            ] {
                let run = try compare(result(), worse, options)
                #expect(run.status == 1 && run.errors.contains(name), "\(name) \(options): \(run.errors)")
                // A line each.
                let lines = run.errors.split(separator: "\n")
                #expect(lines.allSatisfy { $0.hasPrefix("tts-bench: worse: ") && !$0.contains(";") })
                #expect(lines.count == (name.hasSuffix("not measured") ? 2 : 1), "\(run.errors)")
            }
            let others = ["times", "memory", "allocations", "accuracy"].filter { $0 != kind }.joined(
                separator: ",")
            #expect(try compare(result(), worse, ["--only", others]).status == 0, "\(name)")
            // The other way round it became better.
            if name != "fox audio: not measured" {
                #expect(try compare(worse, result()).status == 0, "\(name)")
            }
        }
    }

    @Test("Figures are told to four digits, with the unit that people read, and the change in per cent")
    func digits() throws {
        func times(_ factor: Double) -> [String: Double] {
            Self.distribution.mapValues { $0 * factor * 0.123456789 }.merging(["count": 10]) { $1 }
        }
        let before = try result {
            $0["modelLoad"] = times(1)
            $0["peakMemoryBytes"] = 123_456_789
        }
        let after = try result {
            $0["modelLoad"] = times(1.2345678)
            $0["peakMemoryBytes"] = 234_567_890
        }
        let run = try compare(before, after)
        #expect(
            run.errors == """
                tts-bench: worse: opening the voice (modelLoad.median): 12.35 ms → 15.24 ms, +23.5 %
                tts-bench: worse: peak memory (peakMemoryBytes): 123.5 MB → 234.6 MB, +90.0 %

                """)
    }

    @Test("Other kernels, processors and times do not matter to allocations and accuracy")
    func machines() throws {
        let other = try result {
            $0["kernels"] = "baseline"
            $0["cpu"] = "another processor"
            $0["accuracy"] = accuracy(90)
        }
        #expect(try compare(result(), other, ["--only", "allocations,accuracy"]).status == 0)
        let run = try compare(result(), other)
        #expect(run.status == 65 && run.errors.contains("kernels (avx2, baseline)"), "\(run.errors)")
        let threads = try result { $0["threads"] = 2 }
        #expect(try compare(result(), threads, ["--only", "allocations"]).status == 65)
        #expect(try compare(result(), threads, ["--only", "accuracy"]).status == 0)
    }

    @Test("A time that was not measured is not compared")
    func notMeasured() throws {
        let none = Self.distribution.mapValues { _ in 0.0 }
        let without = try result { $0["processToFirstAudio"] = none }
        #expect(try compare(without, result()).status == 0)
        #expect(try compare(result(), without).status == 0)
    }

    @Test("A mistake is one line: unknown kind 64, no result 65, no file 66")
    func mistakes() throws {
        for kinds in ["speed", "", "times,", "times,speed"] {
            let run = try compare(result(), result(), ["--only=\(kinds)"])
            #expect(run.status == 64 && run.errors.contains("allocations"), "\(kinds): \(run.errors)")
        }
        for data in [Data(), Data("{}".utf8), Data("[1]".utf8)] {
            let run = try compare(data, result())
            #expect(run.status == 65 && run.errors.contains("a.json"), "\(run.errors)")
        }
        let run = try Shell.run(["compare", "/nonexistent.json", "/nonexistent.json"], program: "tts-bench")
        #expect(run.status == 66 && run.errors.filter { $0 == "\n" }.count == 1, "\(run.errors)")
    }
}

@Suite("tts-bench run")
struct BenchRunTests {
    private static let voice = ProcessInfo.processInfo.environment["SYRINX_TEST_VOICE"]

    @Test(
        "The JSON has the documented keys, times in seconds, and the report has its plots",
        .enabled(if: voice != nil, "SYRINX_TEST_VOICE names no voice"))
    func keys() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (json, page) = (folder.appendingPathComponent("a.json"), folder.appendingPathComponent("a.html"))
        // A large process starts it: its memory is not that of the benchmark.
        let starter = """
            import subprocess, sys
            memory = b"x" * (600 << 20)
            sys.exit(subprocess.run(sys.argv[1:]).returncode)
            """
        let run = try Shell.run(
            [
                "python3", "-S", "-c", starter, Shell.programs.appendingPathComponent("tts-bench").path,
                "run", "--voice", Self.voice ?? "", "--text", "Hello world. This is <one> run.",
                "--noise-w", "0", "--threads", "1", "--runs", "2", "--processes", "1",
                "--json", json.path, "--report", page.path,
            ], executable: "/usr/bin/env")
        #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
        let object = try JSONSerialization.jsonObject(with: Data(contentsOf: json))
        let report = try #require(object as? [String: Any])
        for name in [
            "rtf", "speedFactor", "timeToFirstAudio", "modelLoad", "step", "processToFirstAudio", "total",
        ] {
            let figure = try #require(report[name] as? [String: Double], "\(name)")
            for key in ["median", "p95", "p99", "minimum", "maximum"] {
                #expect(try #require(figure[key], "\(name).\(key)") > 0)
            }
        }
        #expect(report["threads"] as? Int == 1 && report["voice"] as? String == "en_US-joe-medium")
        #expect(report["cpu"] is String && report["kernels"] is String)
        let memory = try #require(report["peakMemoryBytes"] as? Int)
        #expect(memory > 10 << 20 && memory < 500 << 20, "\(memory)")
        let audio = try #require(report["audioSeconds"] as? Double)
        let rtf = try #require((report["rtf"] as? [String: Double])?["median"])
        let total = try #require((report["total"] as? [String: Double])?["median"])
        // Without noise in the durations every run is equally long.
        #expect(audio > 1 && audio < 10 && abs(rtf * audio / total - 1) < 1e-9, "\(audio) \(rtf) \(total)")
        let stages = try #require(report["stages"] as? [[String: Any]])
        #expect(
            stages.map { $0["name"] as? String ?? "" } == [
                "phonemes", "encoder", "durations", "flow", "decoder.pre", "decoder.stage1", "decoder.stage2",
                "decoder.stage3", "decoder.post",
            ])
        for stage in stages {
            for key in ["seconds", "rtf", "speedFactor"] { #expect(try #require(stage[key] as? Double) > 0) }
            guard stage["name"] as? String != "phonemes" else { continue }
            for key in ["gflop", "gflops", "shareOfPeak"] { #expect(try #require(stage[key] as? Double) > 0) }
        }
        let html = try String(contentsOf: page, encoding: .utf8)
        for title in ["Lead against time", "Steps after the first", "Stages", "Waveform", "Spectrogram"] {
            #expect(html.contains("<h2>\(title)"), "\(title)")
        }
        #expect(html.contains("data:image/bmp;base64,") && html.count(where: { $0 == "<" }) > 1000)
    }

    @Test(
        "What cannot be spoken or written is one line with its exit code",
        .enabled(if: voice != nil, "SYRINX_TEST_VOICE names no voice"))
    func mistakes() throws {
        let folder = try Shell.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let ids = folder.appendingPathComponent("ids").path
        try Data("1 0 x 2\n".utf8).write(to: URL(fileURLWithPath: ids))
        let cases: [(arguments: [String], status: Int32, words: String)] = [
            (["--text", "..."], 65, "nothing to say"), (["--ids", ids], 65, "'x' is no phoneme id"),
            (["--ids", ids + "none"], 66, "cannot read"), (["--noise-w", "-1"], 64, "--noise-w"),
            (["--ids", ids, "--text", "Hi."], 64, "--text"),
        ]
        for (arguments, status, words) in cases {
            let run = try Shell.run(["run", "--voice", Self.voice ?? ""] + arguments, program: "tts-bench")
            #expect(run.status == status && run.errors.contains(words), "\(arguments): \(run.errors)")
            #expect(run.errors.filter { $0 == "\n" }.count == 1 && run.output.isEmpty)
        }
    }
}

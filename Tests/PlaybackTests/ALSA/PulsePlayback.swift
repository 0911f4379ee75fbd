import Testing

@testable import Playback

/// What was heard of one playback to a sound server, in real time.
struct PulsePlayback: Sendable {
    var recording: Recording
    var claims: RecordingClaims
    /// What the output counted.
    var underruns: Int
    /// Seconds that the machine kept threads of this process from running, at the worst moment.
    var starvation: Double

    /// The server's queue holds 100 ms, of which the output writes a third at a time; a third is left when it fades
    /// out. To come later than this is not the output's doing.
    static let starvationLimit = 0.03
    static let configuration = OutputConfiguration(deviceBuffer: 0.1, leadIn: 0.2)

    enum Verdict: Equatable {
        case passes
        case fails(String)
        /// What it falls short of may be the machine's doing.
        case starved(String)
    }

    /// Plays and judges, and once more if the machine kept this process from running.
    ///
    /// The output counts no underrun and the recording has no gap; no sample is lost or doubled, or touched but
    /// within 10.7 ms of an end; no step at a join or an end is above the speech's 99.9th percentile. A playback with
    /// underruns, gaps or steps at gaps while the machine starves this process proves nothing and is made again; three
    /// of them are reported as a known issue. Samples that are lost, doubled or touched fail at once, whatever the
    /// machine does. What an output does that comes too late is tested in virtual time.
    ///
    /// - Parameter expectsUnderruns: the output counts some, and each is a gap with faded edges.
    static func judge(
        expectsUnderruns: Bool = false, _ play: () async throws -> PulsePlayback
    ) async throws {
        var complaints = ""
        for _ in 0..<3 {
            switch try await play().verdict(expectsUnderruns: expectsUnderruns) {
            case .passes: return
            case .fails(let reason):
                Issue.record("\(reason)")
                return
            case .starved(let reason): complaints = reason
            }
        }
        withKnownIssue("Starved in each of three playbacks") { Issue.record("\(complaints)") }
    }

    func verdict(expectsUnderruns: Bool) -> Verdict {
        let faults = faults
        let shortcomings = shortcomings(expectsUnderruns: expectsUnderruns)
        let all = (faults + shortcomings).joined(separator: "; ")
        if faults.isEmpty, shortcomings.isEmpty { return .passes }
        guard faults.isEmpty, starvation >= Self.starvationLimit else { return .fails(all) }
        return .starved("\(all); the machine kept this process waiting for \(starvation) s")
    }

    /// What no machine excuses.
    private var faults: [String] {
        var faults = recording.steepSteps(claims)
        if let fault = recording.fault { faults.append(fault) }
        if recording.matched < recording.source.count {
            faults.append("\(recording.matched) samples are heard of \(recording.source.count)")
        }
        return faults
    }

    /// What comes of a writer that is kept from running.
    private func shortcomings(expectsUnderruns: Bool) -> [String] {
        var complaints = recording.steepStepsAtGaps(claims)
        if !expectsUnderruns { complaints += recording.longGaps(claims) }
        if recording.gaps.count != underruns {
            complaints.append("\(recording.gaps.count) gaps are heard, \(underruns) underruns counted")
        }
        if (underruns > 0) != expectsUnderruns {
            let places = recording.gaps.map { "\($0.source.upperBound)" }.joined(separator: ", ")
            complaints.append(
                "\(underruns) underruns counted, gaps at \(places) of \(recording.source.count) samples")
        }
        return complaints
    }
}

/// How a producer is slowed down.
struct Throttling: Sendable, CustomTestStringConvertible {
    /// Times real time.
    var speed: Double
    /// Steps that take 300 ms longer.
    var stalls: Set<Int> = []

    /// Seconds that a step takes.
    func stepTime(_ step: Int, audio: Double) -> Double { audio / speed + (stalls.contains(step) ? 0.3 : 0) }

    var testDescription: String {
        stalls.isEmpty ? "\(speed) x real time" : "\(speed) x real time, stalls at \(stalls.sorted())"
    }
}

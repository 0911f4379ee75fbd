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

    /// Plays and judges, and once more if the machine kept this process from running.
    ///
    /// The output counts no underrun and the recording has no gap; no sample is lost or doubled, or touched but
    /// within 10.7 ms of an end; no step at a join or an end is above the speech's 99.9th percentile. A playback that
    /// falls short while the machine starves this process proves nothing and is made again; three of them are reported
    /// as a known issue. What an output does that comes too late is tested in virtual time.
    ///
    /// - Parameter expectsUnderruns: the output counts some, and each is a gap with faded edges.
    static func judge(
        expectsUnderruns: Bool = false, _ play: () async throws -> PulsePlayback
    ) async throws {
        var complaints: [String] = []
        for _ in 0..<3 {
            let playback = try await play()
            complaints = playback.complaints(expectsUnderruns: expectsUnderruns)
            if complaints.isEmpty { return }
            if playback.starvation < starvationLimit { break }
            complaints.append("the machine kept this process waiting for \(playback.starvation) s")
        }
        let isStarved = complaints.last?.hasPrefix("the machine") ?? false
        let all = complaints.joined(separator: "; ")
        guard isStarved else {
            Issue.record("\(all)")
            return
        }
        withKnownIssue("Starved in each of three playbacks") { Issue.record("\(all)") }
    }

    private func complaints(expectsUnderruns: Bool) -> [String] {
        var complaints = recording.steepSteps(claims)
        if let fault = recording.fault { complaints.append(fault) }
        if recording.matched < recording.source.count {
            complaints.append("\(recording.matched) samples are heard of \(recording.source.count)")
        }
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

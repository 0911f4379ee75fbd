import Foundation
import Testing

@testable import DSP

@Suite("Damaged WAV files")
struct WAVFuzzTests {
    @Test("Whatever happens to a file, it is read as far as it goes or refused, and from a pipe alike")
    func mutations() throws {
        let corpus = try GoldenWAV.all.map { try bytes(of: $0.path) }
        let seed = UInt64.random(in: 0...UInt64.max)
        var mutator = WAVMutator(seed: seed)
        for round in 0..<20_000 {
            let file = mutator.next(from: corpus)
            let law = WAVFuzzing.brokenLaw(
                file, blockFrames: mutator.number(in: 1...100), throughPipe: round.isMultiple(of: 8))
            if let law {
                Issue.record(
                    "\(law): seed \(seed), round \(round), \(file.map { String(format: "%02x", $0) }.joined())"
                )
                return
            }
        }
    }
}

import DSP

/// Changes the pitch, or passes samples through.
struct PitchStage: ~Copyable {
    private var shifter: TimePitch?

    init(ratio: Double, sampleRate: Int) throws(SpeechError) {
        guard ratio != 1 else {
            shifter = nil
            return
        }
        do throws(DSPError) {
            shifter = try TimePitch(sampleRate: Double(sampleRate), pitch: ratio)
        } catch {
            throw .invalidOption(name: "pitch", value: "\(ratio)", expected: "1 for this voice: \(error)")
        }
    }

    mutating func step(_ samples: [Float]) -> [Float] {
        guard var owned = shifter.take() else { return samples }
        let output = owned.step(samples)
        shifter = consume owned
        return output
    }

    mutating func finish() -> [Float] {
        guard var owned = shifter.take() else { return [] }
        let output = owned.finish()
        shifter = consume owned
        return output
    }
}

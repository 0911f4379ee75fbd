import DSP

/// Changes the pitch, or passes samples through.
struct PitchStage: ~Copyable {
    private var shifter: TimePitch?

    init(ratio: Double, sampleRate: Int) throws(SpeechError) {
        guard ratio != 1 else {
            shifter = nil
            return
        }
        do throws(PitchError) {
            shifter = try TimePitch(sampleRate: sampleRate, pitch: ratio)
        } catch {
            throw .invalidOption(name: "pitch", value: "\(ratio)", expected: "1 for this voice: \(error)")
        }
    }

    mutating func step(_ samples: [Float]) -> [Float] {
        guard let room = shifter?.outputCapacity(forInput: samples.count) else { return samples }
        return filled(room) { shifter, output throws(PitchError) in try shifter.step(samples.span, into: &output) }
    }

    mutating func finish() -> [Float] {
        guard let room = shifter?.finishCapacity else { return [] }
        return filled(room) { shifter, output throws(PitchError) in try shifter.finish(into: &output) }
    }

    private mutating func filled(
        _ room: Int, _ body: (inout TimePitch, inout MutableSpan<Float>) throws(PitchError) -> Int
    ) -> [Float] {
        guard var owned = shifter.take() else { return [] }
        var output = [Float](repeating: 0, count: room)
        var span = output.mutableSpan
        do throws(PitchError) {
            _ = try body(&owned, &span)
        } catch {
            preconditionFailure("the room asked for is enough: \(error)")
        }
        shifter = consume owned
        return output
    }
}

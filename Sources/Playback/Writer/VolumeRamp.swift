/// A volume between 0 and 1 that moves to a new value in a straight line, full scale in 20 ms: no step, no click.
///
/// At rest at 1 samples are not touched. A gain of at most 1 cannot clip; what is to be louder than the voice
/// is goes through the limiter of the audio assembler, which has the look-ahead that a player must not have.
struct VolumeRamp {
    private(set) var current: Float
    private let step: Float

    init(volume: Float, sampleRate: Int) {
        current = volume
        step = 1 / max(1, 0.02 * Float(sampleRate))
    }

    mutating func apply(target: Float, to samples: UnsafeMutableBufferPointer<Float>) {
        if current == target {
            guard current != 1 else { return }
            for index in samples.indices { samples[index] *= current }
            return
        }
        for index in samples.indices {
            if current < target {
                current = min(target, current + step)
            } else if current > target {
                current = max(target, current - step)
            }
            samples[index] *= current
        }
    }

    /// Takes the volume over at once. For when nothing is heard.
    mutating func jump(to target: Float) { current = target }
}

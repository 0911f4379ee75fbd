/// How much audio is collected before sound starts.
public enum PlaybackStrategy: Sendable, Equatable {
    /// Collects what the measured speed of generation calls for, and little more: on a machine three times as
    /// fast as real time sound starts with the first steps; below that some audio is kept for stalls, 0.3 s at twice real
    /// time and 0.65 s at 1.3 times and below, and a margin for what is not known of the speed. Assessed anew with every step, and sound may start before the next one comes;
    /// after an underrun the cushion grows. See
    /// ``requiredBuffer(remaining:audioPerStep:stepTime:lead:minimum:)``.
    case auto
    /// Starts with the first audio. Gaps follow if generation is slower than real time.
    case stream
    /// Collects a fixed number of seconds first. After an underrun it goes on as `auto` does if the producer
    /// reports its steps, else as `stream` does.
    case buffered(seconds: Double)
    /// Generates everything, then plays.
    case generateFirst

    /// `.buffered(2)` for `.buffered(seconds: 2)`.
    public static func buffered(_ seconds: Double) -> PlaybackStrategy { .buffered(seconds: seconds) }
}

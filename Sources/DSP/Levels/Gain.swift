/// A volume control: multiplies by a factor, and moves to a new one in a straight line over a short
/// time, so that turning it makes no click.
///
/// Nothing is limited here: a factor above 1 can take samples past ±1. Put a `Limiter` behind. Samples that
/// are not finite stay so.
/// No latency. Interleaved channels move together.
public struct Gain: Sendable {
    /// Frames that a change takes.
    public let rampLength: Int
    /// Interleaved channels.
    public let channels: Int
    /// The factor that is moved to.
    public private(set) var target: Float
    private var start: Float
    private var position: Int

    /// - Parameters:
    ///   - factor: on amplitude, any finite number; `Decibels.amplitude` gives it from a level.
    ///   - rampLength: frames that a later change takes, 0 or more. 5 ms is enough against clicks.
    ///   - channels: interleaved channels, at least 1.
    /// - Throws: `DSPError.invalidParameter`, `.invalidChannelCount`.
    public init(_ factor: Float, rampLength: Int = 0, channels: Int = 1) throws(DSPError) {
        try Self.check(factor)
        guard rampLength >= 0 else {
            throw .invalidParameter(
                name: "ramp length", value: Double(rampLength), allowed: "0 or more frames")
        }
        guard channels >= 1 else { throw .invalidChannelCount(channels, allowed: 1...Int.max) }
        self.rampLength = rampLength
        self.channels = channels
        target = factor
        start = factor
        position = rampLength
    }

    private static func check(_ factor: Float) throws(DSPError) {
        guard factor.isFinite else {
            throw .invalidParameter(name: "gain", value: Double(factor), allowed: "a finite number")
        }
    }

    /// The factor that the next sample gets.
    public var current: Float {
        guard position < rampLength else { return target }
        return start + (target - start) * (Float(position) / Float(rampLength))
    }

    /// Moves to another factor from here on.
    ///
    /// - Throws: `DSPError.invalidParameter` for one that is not finite; then nothing changes.
    public mutating func set(_ factor: Float) throws(DSPError) {
        try Self.check(factor)
        start = current
        target = factor
        position = 0
    }

    /// Multiplies the next samples, in place; whole frames. Does not allocate or block.
    public mutating func step(_ samples: inout MutableSpan<Float>) {
        var index = 0
        while position < rampLength, index + channels <= samples.count {
            let gain = current
            for channel in 0..<channels { samples[index + channel] *= gain }
            index += channels
            position += 1
        }
        let gain = target
        for rest in index..<samples.count { samples[rest] *= gain }
    }

    /// Multiplies a whole recording.
    public static func apply(_ factor: Float, to samples: inout [Float]) {
        for index in samples.indices { samples[index] *= factor }
    }
}

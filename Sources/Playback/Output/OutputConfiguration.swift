/// How an ``AudioOutput`` deals with its device.
public struct OutputConfiguration: Sendable, Equatable {
    /// Seconds of audio kept queued in the device.
    ///
    /// 36 ms in three parts of 12: the writer wakes up when one part has been heard, may come a part late without
    /// harm, and still has one in which to fade out. And a stop, which must wait for what is queued and for a fade
    /// of 10.7 ms, stays below 50 ms. More is safer on a machine that starves its threads; stopping takes longer
    /// by as much.
    public var deviceBuffer: Double
    /// Seconds of silence before the first sample and after a pause, for amplifiers and links that swallow the
    /// first words while they wake up.
    public var leadIn: Double
    /// Whether the writer asks for real-time priority (SCHED_RR). Quietly does without where the system refuses.
    public var realTimePriority: Bool

    public init(deviceBuffer: Double = 0.036, leadIn: Double = 0, realTimePriority: Bool = true) {
        self.deviceBuffer = deviceBuffer
        self.leadIn = leadIn
        self.realTimePriority = realTimePriority
    }
}

/// The pitch of a voice at one moment.
public struct PitchFrame: Equatable, Sendable {
    /// Where the frame is centred: samples from the start of the stream.
    public var position: Int
    /// Fundamental frequency in hertz, 60 to 500; 0 where there is no voice.
    public var frequency: Float
    /// How well the sound repeats after one period: a correlation coefficient up to 1; 0 where there is no
    /// voice.
    public var strength: Float

    /// A frame of these values.
    public init(position: Int, frequency: Float, strength: Float) {
        self.position = position
        self.frequency = frequency
        self.strength = strength
    }

    /// Whether there is a voice with a pitch.
    public var isVoiced: Bool { frequency > 0 }

    static let unvoiced = PitchFrame(position: 0, frequency: 0, strength: 0)
}

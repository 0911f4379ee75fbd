public struct WAVReader: ~Copyable {
    public static let maximumChannels = 64
}

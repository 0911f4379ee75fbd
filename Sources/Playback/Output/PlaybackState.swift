/// What an ``AudioOutput`` is doing.
public enum PlaybackState: Sendable, Equatable {
    /// Nothing has been started, or all is over and the device is closed.
    case idle
    /// Audio is collected before it is heard; after an underrun too.
    case buffering
    case playing
    case paused
    /// Everything has been handed to the device, or a stop was asked for: the end is being heard.
    case ending
}

import Glibc

/// What can go wrong between samples and a loudspeaker. Each description is one line that says what to do.
public enum PlaybackError: Error, Equatable, Sendable {
    /// ALSA knows no device of this name, or no sound server answers behind it.
    case deviceNotFound(device: String)
    /// Another program holds the device.
    case deviceBusy(device: String)
    /// This user may not open the device.
    case devicePermission(device: String)
    /// The device went away while it was in use: unplugged, or its server ended.
    case deviceLost(device: String)
    /// The device offers no format, rate or channel count that can be played.
    case unsupportedFormat(device: String, detail: String)
    /// A call to the device failed with a code that has no better name: a definition in ALSA's configuration that is
    /// wrong (EINVAL), a file to write to that cannot be opened (ENOENT) or has no room (ENOSPC).
    case deviceFailed(device: String, operation: String, code: Int32)
    /// The device neither took nor played anything for so long, with audio still to be heard.
    case deviceStuck(seconds: Double)
    /// The program at the other end of the pipe has closed it.
    case brokenPipe
    /// The file to play to cannot be made or written; the reason names it.
    case fileFailed(reason: String)
    /// Audio was handed over while no playback was going on.
    case notPlaying
    /// Playback was started while another one was going on in the same output.
    case alreadyPlaying
    /// A sample rate outside 1 000 ... 768 000 Hz.
    case invalidSampleRate(Int)
    /// A buffer duration that is negative or not a number.
    case invalidBufferDuration(Double)
    /// More audio is queued than an output holds.
    case queueFull(limitSeconds: Double)
    /// The system gave no thread or pipe to play with.
    case systemResources(operation: String, code: Int32)
}

extension PlaybackError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .deviceNotFound(let device):
            "no audio device called '\(device)'; list the devices with `aplay -L` or write to a file instead"
        case .deviceBusy(let device):
            "audio device '\(device)' is in use by another program; close it or choose another device"
        case .devicePermission(let device):
            "no permission to open audio device '\(device)'; add the user to the group 'audio'"
        case .deviceLost(let device):
            "audio device '\(device)' went away; plug it in or start its sound server again, or choose another device"
        case .unsupportedFormat(let device, let detail):
            "audio device '\(device)' cannot play this: \(detail); try the device 'plug:\(device)'"
        case .deviceFailed(let device, let operation, let code):
            "audio device '\(device)' failed to \(operation): \(systemMessage(code)) (\(code)); "
                + Self.wayOut(operation: operation, code: code)
        case .deviceStuck(let seconds):
            "the audio device has taken nothing for \(seconds) s; restart its sound server or choose another device"
        case .brokenPipe:
            "the program that reads the audio has closed its end of the pipe"
        case .fileFailed(let reason):
            reason
        case .notPlaying:
            "no playback is going on; call startPlayback() before handing over audio"
        case .alreadyPlaying:
            "a playback is already going on; stop it first or use a second AudioOutput"
        case .invalidSampleRate(let rate):
            "sample rate \(rate) Hz is outside 1000 ... 768000 Hz"
        case .invalidBufferDuration(let seconds):
            "buffer duration \(seconds) s is not a number of seconds from 0 up"
        case .queueFull(let limit):
            "more than \(Int(limit)) s of audio are queued; wait with waitForLead(below:) while generating"
        case .systemResources(let operation, let code):
            "could not \(operation) for playback: \(systemMessage(code)) (\(code))"
        }
    }

    /// What to do about a code.
    private static func wayOut(operation: String, code: Int32) -> String {
        switch -code {
        case ENOSPC, EDQUOT, EFBIG: "make room where it writes to"
        case ENOENT: "correct the file that its definition in ~/.asoundrc names"
        case EINVAL where operation == openOperation: "correct its definition in ~/.asoundrc or ALSA's configuration"
        default: "choose another device"
        }
    }

    static let openOperation = "open"
}

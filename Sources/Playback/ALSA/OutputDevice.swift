import CALSA

/// A sound device, by the name that ALSA gives it.
public struct OutputDevice: Sendable, Hashable {
    /// "default", "hw:0,0", "plughw:CARD=Device", "pulse", any name of ~/.asoundrc.
    public let name: String
    /// For people, empty if unknown. Several lines are possible.
    public let description: String

    public init(_ name: String, description: String = "") {
        self.name = name
        self.description = description
    }

    /// What the user has set up: the sound server where there is one, else the first card.
    public static let `default` = OutputDevice("default")

    /// The devices that ALSA offers for playback, as `aplay -L` lists them. Empty if there is none.
    public static func available() -> [OutputDevice] {
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) >= 0, let hints else { return [] }
        defer { _ = snd_device_name_free_hint(hints) }

        func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
            guard let value = snd_device_name_get_hint(hint, key) else { return nil }
            defer { free(value) }
            return String(cString: value)
        }

        var devices: [OutputDevice] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            // No direction given means both.
            guard text(hint, "IOID") != "Input", let name = text(hint, "NAME"), name != "null" else {
                continue
            }
            devices.append(OutputDevice(name, description: text(hint, "DESC") ?? ""))
        }
        return devices
    }
}

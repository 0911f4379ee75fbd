/// The calls of ALSA that playback needs, one for one, so that a test can take the card's place.
///
/// Codes are ALSA's: 0 or more for success, negative errno values for errors.
protocol PCMDevice: AnyObject {
    func open(_ name: String) -> Int32

    // What the hardware can do, and what of it is wanted.
    func beginConfiguration() -> Int32
    func choose(format: PCMFormat) -> Int32
    func choose(channels: Int) -> Int32
    func choose(rate: Int) -> Int32
    /// The nearest the device can do, chosen; or a negative code.
    func chooseChannels(near channels: Int) -> Int
    func chooseRate(near rate: Int) -> Int
    func choosePeriod(near frames: Int) -> Int
    func chooseBuffer(near frames: Int) -> Int
    func installConfiguration() -> Int32

    var state: PCMState { get }
    func prepare() -> Int32
    func start() -> Int32
    func resume() -> Int32
    func drain() -> Int32
    func drop() -> Int32
    func close()

    /// Frames that can be written, and frames until the next one written is heard.
    func availableAndDelay() -> (code: Int32, available: Int, delay: Int)
    /// Frames written, or a negative code: ENOENT for a device whose file cannot be opened, ENOSPC, EDQUOT or EFBIG for
    /// one whose file cannot grow.
    func write(_ frames: UnsafeRawPointer, count: Int) -> Int
}

enum PCMFormat: CaseIterable, Sendable {
    case float32
    case int16

    var bytes: Int {
        switch self {
        case .float32: 4
        case .int16: 2
        }
    }

    var name: String {
        switch self {
        case .float32: "float32"
        case .int16: "int16"
        }
    }
}

enum PCMState: Sendable {
    case setup, prepared, running, xrun, draining, suspended, disconnected, other
}

/// How one sample is stored.
///
/// Full scale is ±1: a signed integer of b bits is its value / 2^(b−1), so that every integer of up to 24 bits
/// is a `Float` exactly and comes back as the same integer.
public enum SampleEncoding: String, Sendable, CaseIterable {
    /// 8 bits, 128 is silence. Only ever unsigned in WAV.
    case unsigned8 = "u8"
    case signed16 = "s16"
    /// 24 bits in three bytes.
    case signed24 = "s24"
    case signed32 = "s32"
    case float32 = "f32"
    case float64 = "f64"
    /// G.711 A-law: 13 bits in 8.
    case aLaw = "alaw"
    /// G.711 µ-law: 14 bits in 8.
    case muLaw = "ulaw"

    /// 1 to 8.
    public var bytesPerSample: Int {
        switch self {
        case .unsigned8, .aLaw, .muLaw: 1
        case .signed16: 2
        case .signed24: 3
        case .signed32, .float32: 4
        case .float64: 8
        }
    }

    /// Whether samples beyond ±1 keep their value.
    public var isFloat: Bool { self == .float32 || self == .float64 }
}

/// The order of the bytes of one sample.
public enum ByteOrder: Sendable, CaseIterable {
    case littleEndian
    case bigEndian
}

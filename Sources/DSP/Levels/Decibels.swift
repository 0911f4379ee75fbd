import Glibc

/// Levels in decibels, and the factors on amplitude that they stand for.
public enum Decibels {
    /// 10^(decibels/20): 0 dB is 1, -6.02 dB is ½, -∞ dB is 0. NaN gives NaN.
    public static func amplitude(_ decibels: Double) -> Double { pow(10, decibels / 20) }

    /// 20·log10 of the magnitude: 0 gives -∞. NaN gives NaN.
    public static func level(_ amplitude: Double) -> Double { 20 * log10(abs(amplitude)) }
}

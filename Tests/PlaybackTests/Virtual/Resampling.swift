import DSP

/// The offline conversion that a device at another rate must get.
func resample(_ samples: [Float], from rate: Int, to deviceRate: Int) throws -> [Float] {
    try Resampler.resample(samples, from: Double(rate), to: Double(deviceRate))
}

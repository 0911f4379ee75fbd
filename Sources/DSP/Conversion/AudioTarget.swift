/// Samples to a WAV file or without a header.
enum AudioTarget: ~Copyable {
    case wav(WAVWriter)
    case pcm(PCMWriter)

    init(
        _ endpoint: AudioFileConversion.Endpoint, _ container: AudioFileConversion.Container, rate: Int,
        channels: Int, encoding: SampleEncoding, ditherSeed: UInt64?, metadata: WAVMetadata, frames: Int?
    ) throws(AudioFileError) {
        switch (endpoint, container) {
        case (.path(let path), .wav):
            // 36 bytes more in the header, where they will or may be needed.
            let bytes = frames.map { $0.multipliedReportingOverflow(by: channels * encoding.bytesPerSample) }
            let isLarge = bytes.map { $0.overflow || $0.partialValue > 4_000_000_000 } ?? false
            self = .wav(
                try WAVWriter(
                    path: path, sampleRate: rate, channels: channels, encoding: encoding,
                    ditherSeed: ditherSeed, metadata: metadata, frames: frames, allowsLargeFile: isLarge))
        case (.descriptor(let descriptor, let name), .wav):
            self = .wav(
                try WAVWriter(
                    fileDescriptor: descriptor, name: name, sampleRate: rate, channels: channels,
                    encoding: encoding, ditherSeed: ditherSeed, metadata: metadata, frames: frames,
                    allowsLargeFile: false))
        case (.path(let path), .raw(let order)):
            let format = PCMFormat(
                sampleRate: rate, channels: channels, encoding: encoding, byteOrder: order)
            self = .pcm(try PCMWriter(path: path, format: format, ditherSeed: ditherSeed))
        case (.descriptor(let descriptor, let name), .raw(let order)):
            let format = PCMFormat(
                sampleRate: rate, channels: channels, encoding: encoding, byteOrder: order)
            self = .pcm(
                try PCMWriter(fileDescriptor: descriptor, name: name, format: format, ditherSeed: ditherSeed))
        }
    }

    mutating func step(_ samples: Span<Float>) throws(AudioFileError) {
        switch consume self {
        case .wav(var writer):
            do {
                try writer.step(samples)
                self = .wav(writer)
            } catch {
                self = .wav(writer)
                throw error
            }
        case .pcm(var writer):
            do {
                try writer.step(samples)
                self = .pcm(writer)
            } catch {
                self = .pcm(writer)
                throw error
            }
        }
    }

    consuming func finish() throws(AudioFileError) {
        switch consume self {
        case .wav(let writer): try writer.finish()
        case .pcm(let writer): try writer.finish()
        }
    }
}

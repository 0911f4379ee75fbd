/// Samples from a WAV file or without a header.
enum AudioSource: ~Copyable {
    case wav(WAVReader)
    case pcm(PCMReader)

    init(
        _ endpoint: AudioFileConversion.Endpoint, _ format: PCMFormat?, isBase64: Bool
    ) throws(AudioFileError) {
        switch (endpoint, format) {
        case (.path(let path), nil):
            self = .wav(try WAVReader(path: path))
        case (.descriptor(let descriptor, let name), nil):
            self = .wav(try WAVReader(fileDescriptor: descriptor, name: name))
        case (.path(let path), let format?):
            self = .pcm(try PCMReader(path: path, format: format, isBase64: isBase64))
        case (.descriptor(let descriptor, let name), let format?):
            self = .pcm(
                try PCMReader(fileDescriptor: descriptor, name: name, format: format, isBase64: isBase64))
        }
    }

    var sampleRate: Int {
        switch self {
        case .wav(let reader): reader.sampleRate
        case .pcm(let reader): reader.format.sampleRate
        }
    }

    var channels: Int {
        switch self {
        case .wav(let reader): reader.channels
        case .pcm(let reader): reader.format.channels
        }
    }

    var encoding: SampleEncoding {
        switch self {
        case .wav(let reader): reader.encoding
        case .pcm(let reader): reader.format.encoding
        }
    }

    var metadata: WAVMetadata {
        switch self {
        case .wav(let reader): reader.metadata
        case .pcm: WAVMetadata()
        }
    }

    /// The number of frames, if it is sure.
    var certainFrames: Int? {
        switch self {
        case .wav(let reader): reader.certainFrames
        case .pcm: nil
        }
    }

    var isTruncated: Bool {
        switch self {
        case .wav(let reader): reader.isTruncated
        case .pcm(let reader): reader.isTruncated
        }
    }

    mutating func read(into samples: inout MutableSpan<Float>) throws(AudioFileError) -> Int {
        switch consume self {
        case .wav(var reader):
            do {
                let frames = try reader.read(into: &samples)
                self = .wav(reader)
                return frames
            } catch {
                self = .wav(reader)
                throw error
            }
        case .pcm(var reader):
            do {
                let frames = try reader.read(into: &samples)
                self = .pcm(reader)
                return frames
            } catch {
                self = .pcm(reader)
                throw error
            }
        }
    }
}

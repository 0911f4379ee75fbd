import Foundation

@testable import DSP

/// What must hold for any bytes at all.
enum WAVFuzzing {
    /// Reads `bytes` from memory and, if asked, through a pipe, and says which law was broken; `nil` if none.
    ///
    /// - Parameter blockFrames: frames read at a time.
    static func brokenLaw(_ bytes: [UInt8], blockFrames: Int, throughPipe: Bool) -> String? {
        let (samples, problem) = read(bytes, blockFrames: blockFrames)
        if let problem { return problem }
        guard throughPipe, bytes.count < 60_000 else { return nil }
        return readThroughPipe(bytes, expecting: samples)
    }

    private static func read(_ bytes: [UInt8], blockFrames: Int) -> (samples: [Float]?, problem: String?) {
        var samples: [Float] = []
        do {
            var reader = try WAVReader(bytes: bytes)
            let (channels, size) = (reader.channels, reader.encoding.bytesPerSample)
            guard (1...64).contains(channels), reader.sampleRate > 0 else {
                return (nil, "impossible format")
            }
            var block = [Float](repeating: 0, count: blockFrames * channels)
            while true {
                var span = block.mutableSpan
                let frames = try reader.read(into: &span)
                if frames == 0 { break }
                if frames > blockFrames { return (nil, "\(frames) frames in a block of \(blockFrames)") }
                samples += block[..<(frames * channels)]
                if samples.count * size > bytes.count { return (nil, "more samples than bytes") }
            }
            if let frames = reader.frames, frames * channels != samples.count {
                return (nil, "\(frames) frames promised, \(samples.count / channels) read")
            }
            if !samples.allSatisfy(\.isFinite) { return (nil, "a sample is not finite") }
            return (samples, nil)
        } catch {
            // Bad data throws, in one line; nothing was read that could fail otherwise.
            return (nil, error.description.contains("\n") ? "an error of two lines" : nil)
        }
    }

    private static func readThroughPipe(_ bytes: [UInt8], expecting samples: [Float]?) -> String? {
        let pipe = Pipe()
        try? pipe.fileHandleForWriting.write(contentsOf: Data(bytes))
        try? pipe.fileHandleForWriting.close()
        do {
            var reader = try WAVReader(fileDescriptor: pipe.fileHandleForReading.fileDescriptor, name: "pipe")
            let piped = try reader.readAll()
            guard let samples else { return "a pipe gives samples, memory an error" }
            // A size of the kind that programs write when they do not know it ends a file, not a pipe.
            return piped.starts(with: samples) ? nil : "a pipe gives other samples"
        } catch {
            return samples == nil ? nil : "a pipe gives the error '\(error)', memory samples"
        }
    }
}

import Glibc

/// Bytes in order, from a file, a pipe or memory, through a buffer of fixed size.
///
/// Where the length can be known (a regular file, memory), ``length`` says it, so that sizes that the input
/// claims can be checked before anything is made of them.
struct InputFile: ~Copyable {
    private enum Origin {
        case descriptor(Int32, closes: Bool)
        case memory
    }

    /// As errors call it.
    let name: String
    /// The number of bytes in all, or `nil` for a pipe or device.
    let length: Int?
    /// How many bytes were taken so far.
    private(set) var position = 0
    private let origin: Origin
    /// Where byte 0 is in the descriptor's file.
    private let base: Int
    private var buffer: [UInt8]
    private var start = 0
    private var end = 0

    private static let bufferSize = 1 << 16

    init(path: String) throws(AudioFileError) {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotOpen(name: path.isEmpty ? "a file without a name" : path, code: ENOENT)
        }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(name: path, code: errno) }
        var status = stat()
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            _ = close(descriptor)
            throw .cannotOpen(name: path, code: EISDIR)
        }
        self.init(descriptor: descriptor, closes: true, name: path)
    }

    /// Reads a descriptor from where it stands.
    init(descriptor: Int32, closes: Bool, name: String) {
        self.name = name
        origin = .descriptor(descriptor, closes: closes)
        var status = stat()
        let offset = lseek(descriptor, 0, SEEK_CUR)
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, offset >= 0 {
            length = max(0, Int(status.st_size) - offset)
        } else {
            length = nil
        }
        base = max(0, offset)
        buffer = [UInt8](repeating: 0, count: Self.bufferSize)
    }

    init(bytes: [UInt8], name: String) {
        self.name = name
        origin = .memory
        length = bytes.count
        base = 0
        buffer = bytes
        end = bytes.count
    }

    deinit {
        if case .descriptor(let descriptor, closes: true) = origin { _ = close(descriptor) }
    }

    /// The number of bytes that are there to be taken without reading.
    var available: Int { end - start }

    /// Reads until `count` bytes are available, or the input ends. `count` is at most 64 KiB.
    ///
    /// - Returns: the number of bytes available, which may be more or, at the end, less than `count`.
    mutating func prepare(_ count: Int) throws(AudioFileError) -> Int {
        guard case .descriptor(let descriptor, _) = origin, available < count else { return available }
        precondition(count <= Self.bufferSize, "\(count) bytes do not fit the buffer")
        if start > 0 {
            let kept = available
            buffer.withUnsafeMutableBytes { bytes in
                // SAFETY: start + kept = end, which never exceeds the buffer's size.
                if let base = bytes.baseAddress { memmove(base, base + start, kept) }
            }
            (start, end) = (0, kept)
        }
        while available < count {
            let offset = end
            let result = buffer.withUnsafeMutableBytes { bytes in
                readOnce(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: bytes[offset...]))
            }
            guard result >= 0 else { throw .cannotRead(name: name, code: Int32(-result)) }
            if result == 0 { break }
            end += result
        }
        return available
    }

    /// Calls `body` with the first `count` available bytes.
    func peek<Result>(_ count: Int, _ body: (RawSpan) -> Result) -> Result {
        body(buffer.span.bytes.extracting(start..<(start + count)))
    }

    /// Calls `body` with the first `count` available bytes, and takes them.
    mutating func take<Result>(_ count: Int, _ body: (RawSpan) -> Result) -> Result {
        let result = peek(count, body)
        start += count
        position += count
        return result
    }

    /// The next `count` bytes, or `nil` if the input ends before. `count` is at most 64 KiB.
    mutating func bytes(_ count: Int) throws(AudioFileError) -> [UInt8]? {
        guard try prepare(count) >= count else { return nil }
        return take(count) { bytes in bytes.withUnsafeBytes { Array($0) } }
    }

    /// Passes over `count` bytes without keeping them.
    ///
    /// - Returns: whether they were all there.
    mutating func skip(_ count: Int) throws(AudioFileError) -> Bool {
        if let length {
            let isThere = count <= length - position
            try seek(to: isThere ? position + count : length)
            return isThere
        }
        var rest = count
        while rest > 0 {
            let step = min(rest, try prepare(1))
            if step == 0 { return false }
            take(step) { _ in }
            rest -= step
        }
        return true
    }

    /// Goes to a byte, counted from the first one. Only where ``length`` is known.
    mutating func seek(to target: Int) throws(AudioFileError) {
        let shift = target - position
        if shift >= -start, shift <= available {
            start += shift
        } else if case .descriptor(let descriptor, _) = origin {
            guard lseek(descriptor, base + target, SEEK_SET) >= 0 else {
                throw .cannotRead(name: name, code: errno)
            }
            (start, end) = (0, 0)
        }
        position = target
    }
}

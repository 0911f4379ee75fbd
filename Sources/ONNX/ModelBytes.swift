#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The text of an `errno`.
func systemMessage(_ code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
}

/// A regular file, open for reading. Closed when it goes out of scope; a mapping of it lives on.
struct ReadableFile: ~Copyable {
    let path: String
    let descriptor: Int32

    init(path: String) throws(ONNXError) {
        // C would stop at the NUL and open another file than the one named.
        guard !path.utf8.contains(0) else { throw .unreadable(file: path, code: EINVAL) }
        // Without O_NONBLOCK a named pipe would block here before it can be refused.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard opened >= 0 else { throw .unreadable(file: path, code: errno) }
        self.path = path
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// The size in bytes now.
    func size() throws(ONNXError) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(file: path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .notARegularFile(file: path) }
        return Int(status.st_size)
    }
}

/// The bytes of a model: a read-only mapping of a file, or memory. Lives as long as a tensor refers to it.
///
/// A mapping shows the file as it is: whoever truncates the file while it is mapped makes a later read of
/// the lost pages end in SIGBUS, which no check at this level can prevent; `ModelFile` tells of it before a longer
/// work begins. Replacing the file by renaming another over it is harmless. Bytes that change are harmless too:
/// all reads stay inside the mapping.
final class ModelBytes: @unchecked Sendable {
    // SAFETY (@unchecked Sendable): all stored properties are constants and the memory is never written.

    private enum Owner { case mapping, heap, caller }

    /// How the file is named in errors.
    let name: String
    let base: UnsafeRawPointer
    let count: Int
    private let owner: Owner
    /// Of the file that is mapped; −1 for memory, and where the process has no descriptor left.
    private let descriptor: Int32

    /// Maps a whole file.
    init(mapping file: borrowing ReadableFile) throws(ONNXError) {
        let size = try file.size()
        guard size > 0 else { throw .emptyFile(file: file.path) }
        let address = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.descriptor, 0)
        guard let address, address != MAP_FAILED else {
            throw .unreadable(file: file.path, code: errno)
        }
        name = file.path
        base = UnsafeRawPointer(address)
        count = size
        owner = .mapping
        descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    }

    /// Copies bytes, for a model that is not in a file of its own.
    init(copying bytes: UnsafeRawBufferPointer, name: String) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 16)
        memory.copyMemory(from: bytes)
        self.name = name
        base = UnsafeRawPointer(memory.baseAddress.unsafelyUnwrapped)  // SAFETY: at least one byte long.
        count = bytes.count
        owner = .heap
        descriptor = -1
    }

    /// Refers to memory that the caller keeps alive and unchanged for as long as this object lives.
    init(borrowing bytes: UnsafeRawBufferPointer, name: String) {
        self.name = name
        base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped  // never read: 0 bytes
        count = bytes.count
        owner = .caller
        descriptor = -1
    }

    deinit {
        switch owner {
        case .mapping:
            munmap(UnsafeMutableRawPointer(mutating: base), count)
            if descriptor >= 0 { close(descriptor) }
        case .heap: base.deallocate()
        case .caller: break
        }
    }

    /// The bytes of a range that was checked against `count` when the file was read.
    func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the model's bytes")
        return UnsafeRawBufferPointer(start: base + range.lowerBound, count: range.count)
    }

    /// The text of a range that was found to be UTF-8. Should the file have changed since, it is repaired.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes(range), as: UTF8.self) }
}

/// The file that a model was read from.
package struct ModelFile: Sendable {
    let bytes: ModelBytes

    /// Whether all that was mapped can still be read: the file has not been truncated in place meanwhile. One call of
    /// the system. True for a model in memory, and where the process had no descriptor left to ask with.
    package var isWhole: Bool { bytes.isWhole }

    /// Gives all memory of the mapping back; later reads get the pages from the file again.
    package func discardPages() { bytes.discard(0..<bytes.count) }
}

extension ModelBytes {
    fileprivate var isWhole: Bool {
        guard descriptor >= 0 else { return true }
        var status = stat()
        return fstat(descriptor, &status) == 0 && Int(status.st_size) >= count
    }

    /// Copies the bytes of a range, out of the file without touching the mapping's pages: what is used once then
    /// takes no memory. Bytes that the file cannot give are read from the mapping, with its consequences.
    func copy(_ range: Range<Int>, to target: UnsafeMutableRawPointer) {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the model's bytes")
        var done = 0
        while descriptor >= 0, done < range.count {
            let count = pread(descriptor, target + done, range.count - done, range.lowerBound + done)
            if count > 0 { done += count } else if count == 0 || errno != EINTR { break }
        }
        let rest = range.count - done
        if rest > 0 { (target + done).copyMemory(from: base + range.lowerBound + done, byteCount: rest) }
    }

    /// Gives the memory of the pages that lie wholly inside a range back. A later read gets them from the
    /// file again, so this is always safe.
    func discard(_ range: Range<Int>) {
        // On memory that is not a mapping of a file the same call would zero the pages.
        guard owner == .mapping else { return }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let start = (range.lowerBound + page - 1) / page * page
        // The last page of the file has nothing of another tensor behind it.
        let end = range.upperBound == count ? count : range.upperBound / page * page
        guard start < end else { return }
        madvise(UnsafeMutableRawPointer(mutating: base + start), end - start, MADV_DONTNEED)
    }
}

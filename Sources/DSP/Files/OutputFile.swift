import Glibc
import Synchronization

/// Where bytes go: a file that appears under its name only when it is complete, or a pipe or device.
///
/// A regular file is written without a name (`O_TMPFILE`) in its folder, so that nothing is left behind even
/// if the process is killed; where the file system has no such files, under a temporary name. ``commit()``
/// gives it its name in one step, replacing what was there. A symbolic link keeps pointing to the file that
/// it pointed to; a hard link is broken, as with any replacement. An existing file keeps its permissions.
/// Without ``commit()``, whether through an error or ``cancel()``, the folder is as it was.
package struct OutputFile: ~Copyable {
    private enum State {
        /// Written in place: a pipe, a device, a descriptor of someone else.
        case direct(closes: Bool)
        case unnamed(destination: String)
        case named(temporary: String, destination: String)
        case closed
    }

    /// Temporary names that have files now: changed together with the files.
    private static let temporaries = Mutex<Set<String>>([])

    /// As errors call it.
    let name: String
    /// Whether ``overwrite(at:_:)`` works: a regular file or block device, and not opened for appending.
    let isSeekable: Bool
    private let descriptor: Int32
    private let mayRaiseSIGPIPE: Bool
    /// Where the first byte went, which is not 0 for a descriptor that was written to before.
    private let base: Int
    private var state: State

    /// Opens `path` for writing; the name `-` has no special meaning here.
    package init(path: String) throws(AudioFileError) { try self.init(path: path, unnamed: true) }

    /// - Parameter unnamed: false for what is done where the file system has no files without a name.
    init(path: String, unnamed: Bool) throws(AudioFileError) {
        name = path
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw .cannotCreate(name: path.isEmpty ? "a file without a name" : path, code: ENOENT)
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            descriptor = try Self.openInPlace(path)
            state = .direct(closes: true)
        } else {
            let destination = try Self.destination(of: path, exists: exists)
            let opened = try Self.openBeside(destination, path: path, unnamed: unnamed)
            descriptor = opened.descriptor
            state =
                opened.temporary.map { .named(temporary: $0, destination: destination) }
                ?? .unnamed(destination: destination)
            if exists { _ = fchmod(descriptor, status.st_mode & 0o7777) }
        }
        (isSeekable, base, mayRaiseSIGPIPE) = Self.traits(of: descriptor)
    }

    /// Writes to a descriptor that stays the caller's: it is not closed.
    init(descriptor: Int32, name: String) {
        self.name = name
        self.descriptor = descriptor
        state = .direct(closes: false)
        (isSeekable, base, mayRaiseSIGPIPE) = Self.traits(of: descriptor)
    }

    deinit { Self.discard(state, descriptor) }

    /// Ends a program in the middle of its work: takes away what would be left of files that are not complete, and
    /// calls `end`. No file can be completed meanwhile: whoever tries waits for the end.
    package static func discardAll(andThen end: () -> Never) -> Never {
        temporaries.withLock { names in
            for name in names { unlink(name) }
            end()
        }
    }

    package func write(_ bytes: Span<UInt8>) throws(AudioFileError) {
        let code = bytes.withUnsafeBytes { writeAll(descriptor, $0, mayRaiseSIGPIPE: mayRaiseSIGPIPE) }
        guard code == 0 else { throw .cannotWrite(name: name, code: code) }
    }

    /// Replaces bytes that were written before, `offset` bytes after the first. Only if ``isSeekable``.
    func overwrite(at offset: Int, _ bytes: [UInt8]) throws(AudioFileError) {
        precondition(isSeekable, "\(name) cannot be overwritten")
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { rest in
                pwrite(descriptor, rest.baseAddress, rest.count, base + offset + written)
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw .cannotWrite(name: name, code: errno)
            }
        }
    }

    /// Closes the file and gives it its name.
    package consuming func commit() throws(AudioFileError) {
        switch state {
        case .direct(closes: false), .closed:
            state = .closed
        case .direct(closes: true):
            state = .closed
            try close()
        case .unnamed(let destination):
            let temporary = try linkBeside(destination)
            state = .closed
            try complete(temporary, as: destination)
        case .named(let temporary, let destination):
            state = .closed
            try complete(temporary, as: destination)
        }
    }

    /// Leaves the folder as it was. What went down a pipe cannot be taken back.
    consuming func cancel() {}

    private func close() throws(AudioFileError) {
        guard Glibc.close(descriptor) == 0 || errno == EINTR else {
            throw .cannotWrite(name: name, code: errno)
        }
    }

    /// Closes a file and renames it; where that fails, it goes.
    private func complete(_ temporary: String, as destination: String) throws(AudioFileError) {
        do throws(AudioFileError) {
            try close()
            let code = Self.temporaries.withLock { names in
                guard rename(temporary, destination) == 0 else { return errno }
                names.remove(temporary)
                return 0
            }
            guard code == 0 else { throw .cannotCreate(name: name, code: code) }
        } catch {
            Self.remove(temporary)
            throw error
        }
    }

    /// Makes a file under a temporary name, and lists the name.
    ///
    /// - Parameter make: returns a descriptor, or 0; -1 where it could not make the file.
    /// - Returns: what `make` returned, or the negated `errno`.
    private static func make(_ temporary: String, _ make: (String) -> Int32) -> Int32 {
        temporaries.withLock { names in
            let result = make(temporary)
            guard result >= 0 else { return -errno }
            names.insert(temporary)
            return result
        }
    }

    private static func remove(_ temporary: String) {
        temporaries.withLock { names in
            unlink(temporary)
            names.remove(temporary)
        }
    }

    /// Gives the unnamed file a temporary name: a link cannot replace a file, a rename can.
    private func linkBeside(_ destination: String) throws(AudioFileError) -> String {
        while true {
            let temporary = Self.temporaryName(beside: destination)
            let result = Self.make(temporary) {
                linkat(AT_FDCWD, Self.magicLink(descriptor), AT_FDCWD, $0, AT_SYMLINK_FOLLOW)
            }
            if result == 0 { return temporary }
            if result != -EEXIST { throw .cannotCreate(name: name, code: -result) }
        }
    }

    private static func discard(_ state: State, _ descriptor: Int32) {
        switch state {
        case .direct(closes: false), .closed: return
        case .named(let temporary, _): remove(temporary)
        case .direct(closes: true), .unnamed: break
        }
        _ = Glibc.close(descriptor)
    }
}

// MARK: - Opening

extension OutputFile {
    private static func openInPlace(_ path: String) throws(AudioFileError) -> Int32 {
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotCreate(name: path, code: errno) }
        return descriptor
    }

    /// The file itself where `path` is a symbolic link; a file that may not be written is refused, though
    /// its folder would allow to replace it.
    private static func destination(of path: String, exists: Bool) throws(AudioFileError) -> String {
        guard exists else { return try danglingDestination(of: path) }
        guard access(path, W_OK) == 0 else { throw .cannotCreate(name: path, code: errno) }
        guard let resolved = realpath(path, nil) else { throw .cannotCreate(name: path, code: errno) }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// A link to a file that does not exist yet: the file is made where the link points.
    private static func danglingDestination(of path: String) throws(AudioFileError) -> String {
        var current = path
        for _ in 0..<40 {
            var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = target.withUnsafeMutableBufferPointer { buffer in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    characters.baseAddress.map { readlink(current, $0, characters.count) } ?? -1
                }
            }
            guard count > 0 else { return current }
            let link = String(decoding: target[..<count], as: UTF8.self)
            current = link.hasPrefix("/") ? link : folder(of: current) + "/" + link
        }
        throw .cannotCreate(name: path, code: ELOOP)
    }

    private static func openBeside(
        _ destination: String, path: String, unnamed: Bool
    ) throws(AudioFileError) -> (descriptor: Int32, temporary: String?) {
        // O_TMPFILE is a compound macro, which the importer does not see.
        let flags: Int32 = 0o20_000_000 | O_DIRECTORY
        let descriptor = unnamed ? open(folder(of: destination), O_RDWR | O_CLOEXEC | flags, 0o666) : -1
        if descriptor >= 0 {
            if access(magicLink(descriptor), F_OK) == 0 { return (descriptor, nil) }
            _ = Glibc.close(descriptor)
        }
        while true {
            let temporary = temporaryName(beside: destination)
            let descriptor = make(temporary) { open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
            if descriptor >= 0 { return (descriptor, temporary) }
            if descriptor != -EEXIST, descriptor != -EINTR {
                throw .cannotCreate(name: path, code: -descriptor)
            }
        }
    }

    private static func temporaryName(beside destination: String) -> String {
        folder(of: destination) + "/.syrinx-" + String(UInt64.random(in: 0...UInt64.max), radix: 36) + ".tmp"
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The name under which a process reaches its own open files.
    private static func magicLink(_ descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    private static func traits(of descriptor: Int32) -> (isSeekable: Bool, base: Int, mayRaiseSIGPIPE: Bool) {
        var status = stat()
        let kind = fstat(descriptor, &status) == 0 ? status.st_mode & S_IFMT : 0
        let base = lseek(descriptor, 0, SEEK_CUR)
        // An overwrite of a file opened for appending would land at its end.
        let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
        let isFile = kind == S_IFREG || kind == S_IFBLK
        return (isFile && base >= 0 && !appends, max(0, base), !isFile)
    }
}

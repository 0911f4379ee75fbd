import Glibc

/// What can go wrong with a file, a pipe or the bytes in it. `description` is one line that says what to do.
public enum AudioFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The input does not exist or may not be read. `code` is an `errno`.
    case cannotOpen(name: String, code: Int32)
    /// Reading failed midway.
    case cannotRead(name: String, code: Int32)
    /// The output cannot be made: its folder is missing or may not be written to.
    case cannotCreate(name: String, code: Int32)
    /// Writing failed: the disk is full (`ENOSPC`), the reader of the pipe went away (`EPIPE`), …
    case cannotWrite(name: String, code: Int32)
    /// The bytes are not a WAV file; `found` says what they look like.
    case notWAV(name: String, found: String)
    /// A WAV file whose structure contradicts itself; `problem` says where.
    case malformed(name: String, problem: String)
    /// A sound WAV file in an encoding that is not read here.
    case unsupported(name: String, what: String)
    /// A format that cannot be written: a rate of 0, no channels, more than a header can say.
    case unwritableFormat(String)
    /// The sizes in a WAV header end at 4 GiB.
    case tooLarge(name: String)
    /// The number of frames announced in the header is not what was written.
    case wrongFrameCount(name: String, announced: Int, written: Int)
    /// A byte that is not Base64, and where it stands in the input.
    case notBase64(byte: UInt8, offset: Int)
    /// Base64 that stops in the middle of a group of four.
    case truncatedBase64(offset: Int)

    /// One line, with the name of the file and the way out where there is one.
    public var description: String {
        switch self {
        case .cannotOpen(let name, let code):
            "cannot open \(name): \(reason(code))"
        case .cannotRead(let name, let code):
            "cannot read \(name): \(reason(code))"
        case .cannotCreate(let name, let code):
            "cannot create \(name): \(reason(code))"
        case .cannotWrite(let name, let code):
            "cannot write \(name): \(reason(code))"
        case .notWAV(let name, let found):
            "\(name) is not a WAV file: \(found)"
        case .malformed(let name, let problem):
            "\(name) is a damaged WAV file: \(problem)"
        case .unsupported(let name, let what):
            "\(name) holds \(what); convert it to PCM or float first"
        case .unwritableFormat(let problem):
            problem
        case .tooLarge(let name):
            "\(name) would exceed 4 GiB, the most a WAV header can say; write RF64, raw PCM or to a pipe"
        case .wrongFrameCount(let name, let announced, let written):
            "\(name) is wrong: \(announced) frames were announced and \(written) written"
        case .notBase64(let byte, let offset):
            "not Base64: byte 0x\(String(byte, radix: 16)) at offset \(offset)"
        case .truncatedBase64(let offset):
            "Base64 ends in the middle of a group, at offset \(offset); the text was cut"
        }
    }
}

private func reason(_ code: Int32) -> String {
    switch code {
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of the path is not a folder"
    case ENOSPC, EDQUOT: "the disk is full"
    case EFBIG: "the file would be larger than this system allows"
    case EPIPE: "the program at the other end of the pipe has gone"
    case EROFS: "the file system is read-only"
    case ENAMETOOLONG: "the name is too long"
    case EBADF: "it is not open"
    default: String(cString: strerror(code)) + " (error \(code))"
    }
}

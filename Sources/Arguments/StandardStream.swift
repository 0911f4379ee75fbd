import Glibc

/// What a command says: results on standard output, which must arrive, and notes on standard error, which may be lost.
package enum StandardStream {
    /// Standard output did not take what was written to it.
    package struct Failure: Error, Equatable, CustomStringConvertible {
        package let description: String
        package var exitStatus: ExitStatus { .inputOutput }
    }

    /// To be called before anything else is opened.
    ///
    /// A closed pipe becomes an error of the write that meets it, not a silent death. A standard descriptor that is
    /// closed is filled, so that no file takes its number and receives what was meant for a person.
    package static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number is this one. Opened the wrong way round: to use it fails as it did before.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes a text and the end of its line to standard output.
    package static func print(_ text: String) throws(Failure) {
        let error = write(text + "\n", to: STDOUT_FILENO)
        guard error != 0 else { return }
        let reason =
            switch error {
            case ENOSPC, EDQUOT: "the disk is full; free some space"
            case EPIPE: "whoever read it has gone"
            case EBADF: "it is closed"
            default: String(cString: strerror(error))
            }
        throw Failure(description: "cannot write to standard output: \(reason)")
    }

    /// Writes one line to standard error. Names of files and what voices say of themselves may hold anything: nothing of
    /// it reaches the terminal as a command.
    package static func report(_ message: String) { note(line(message)) }

    /// A message as one line, its control characters as spaces.
    package static func line(_ message: String) -> String {
        let harmless = message.unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(String.UnicodeScalarView(harmless)) + "\n"
    }

    /// Writes a text to standard error as it stands. An error is nothing that could be told to anyone.
    package static func note(_ text: String) {
        _ = write(text, to: STDERR_FILENO)
    }

    /// Writes all of a text, and gives 0 or the error.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        let bytes = Array(text.utf8)
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                written += count
            } else if count < 0, errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return 0
    }
}

#if EspeakNG
    import Glibc

    /// Runs espeak-ng in a forked child process, so that a crash of the library is not one of the application.
    ///
    /// espeak-ng 1.51 frees a language's tables while it still reads them when a text changes between three scripts
    /// in certain ways, and in some languages reads through null pointers. Plain text in a voice's own script does
    /// not lead there.
    enum EspeakChild {
        /// What `read` gives; nil if the child died over it or took longer than some seconds. Where no child can be
        /// made, `read` runs here.
        static func clauses(_ read: () -> [EspeakClause]) -> [EspeakClause]? {
            var ends: [Int32] = [0, 0]
            guard pipe(&ends) == 0 else { return read() }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            // SAFETY: the caller holds the library's lock, so its state is whole in the child, which calls nothing
            // but the library and the allocator (glibc keeps its locks consistent over a fork) and never returns.
            let child = fork()
            switch child {
            case -1:
                close(ends[0])
                close(ends[1])
                return read()
            case 0:
                dieQuietly()
                writeAll(encode(read()), to: ends[1])
                _exit(0)
            default:
                close(ends[1])
                let bytes = readAll(from: ends[0])
                close(ends[0])
                var status: Int32 = 0
                while waitpid(child, &status, 0) == -1, errno == EINTR {}
                return decode(bytes)
            }
        }

        private static func dieQuietly() {
            for number in [SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTRAP, SIGALRM, SIGPIPE] {
                signal(number, SIG_DFL)
            }
            var none = sigset_t()
            sigemptyset(&none)
            sigprocmask(SIG_SETMASK, &none, nil)
            var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &noCore)
            alarm(5)
        }

        /// Marks that the child came to its end.
        private static let complete: UInt8 = 0x2A

        private static func encode(_ clauses: [EspeakClause]) -> [UInt8] {
            var bytes: [UInt8] = []
            func append(_ value: Int) { withUnsafeBytes(of: Int64(value)) { bytes += $0 } }
            for clause in clauses {
                append(clause.upperBound)
                append(ClauseEnd.all.firstIndex(of: clause.end) ?? 0)
                append(clause.phonemes.utf8.count)
                bytes += clause.phonemes.utf8
            }
            return bytes + [complete]
        }

        private static func decode(_ bytes: [UInt8]) -> [EspeakClause]? {
            guard bytes.last == complete else { return nil }
            var clauses: [EspeakClause] = []
            var position = 0
            func next() -> Int? {
                guard position + 8 < bytes.count else { return nil }
                defer { position += 8 }
                return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            }
            while position < bytes.count - 1 {
                guard let upperBound = next(), let end = next(), let count = next(), count >= 0,
                    position + count < bytes.count, ClauseEnd.all.indices.contains(end)
                else { return nil }
                let phonemes = String(decoding: bytes[position..<position + count], as: UTF8.self)
                position += count
                clauses.append(
                    EspeakClause(phonemes: phonemes, end: ClauseEnd.all[end], upperBound: upperBound))
            }
            return clauses
        }

        private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count <= 0 { return }
                rest = rest.dropFirst(count)
            }
        }

        private static func readAll(from descriptor: Int32) -> [UInt8] {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count == -1, errno == EINTR { continue }
                if count <= 0 { return bytes }
                bytes += buffer[..<count]
            }
        }
    }

    extension ClauseEnd {
        fileprivate static let all: [ClauseEnd] = [
            .cut, .fullStop, .question, .exclamation, .comma, .colon, .semicolon, .silentSentence,
            .silentClause,
        ]
    }
#endif

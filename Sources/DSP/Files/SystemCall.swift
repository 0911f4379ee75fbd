import Glibc

/// Reads once, waiting if the descriptor does not block, and starting anew after a signal.
///
/// - Returns: the number of bytes, 0 at the end; or the negated `errno`.
func readOnce(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno == EAGAIN {
            wait(for: descriptor, events: POLLIN)
        } else if errno != EINTR {
            return -Int(errno)
        }
    }
}

/// Writes everything, waiting if the descriptor does not block, and starting anew after a signal.
///
/// A pipe whose reader has gone raises SIGPIPE, which ends the process unless the program changed that. A
/// library may not change the program's signals, so the signal is held back from this thread and taken away
/// again if it was this write that raised it.
/// - Returns: 0, or the `errno`.
func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, mayRaiseSIGPIPE: Bool) -> Int32 {
    guard mayRaiseSIGPIPE else { return writeAll(descriptor, bytes) }
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var previousMask = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &previousMask)
    let code = writeAll(descriptor, bytes)
    if code == EPIPE, !wasPending {
        var now = timespec(tv_sec: 0, tv_nsec: 0)
        while sigtimedwait(&pipeSignal, nil, &now) == -1, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &previousMask, nil)
    return code
}

private func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count > 0 {
            rest = rest.dropFirst(count)
        } else if count == 0 {
            return ENOSPC
        } else if errno == EAGAIN {
            wait(for: descriptor, events: POLLOUT)
        } else if errno != EINTR {
            return errno
        }
    }
    return 0
}

private func wait(for descriptor: Int32, events: Int32) {
    var request = pollfd(fd: descriptor, events: Int16(events), revents: 0)
    _ = poll(&request, 1, -1)
}

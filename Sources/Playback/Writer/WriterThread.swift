import Glibc

/// Starts a thread for the device writer, with every signal blocked: a reader that closes its pipe must not end the
/// program (SIGPIPE), and Ctrl-C belongs to the application's threads.
///
/// - Returns: 0 or an errno.
func startWriterThread(realTimePriority: Bool, _ body: @escaping @Sendable () -> Void) -> Int32 {
    let start = Unmanaged.passRetained(WriterStart(realTimePriority: realTimePriority, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    // The new thread inherits the mask.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }

    var thread = pthread_t()
    let code = pthread_create(
        &thread, &attributes,
        { argument in
            guard let argument else { return nil }
            let start = Unmanaged<WriterStart>.fromOpaque(argument).takeRetainedValue()
            if start.realTimePriority {
                var parameters = sched_param()
                parameters.sched_priority = 5
                // Refused without CAP_SYS_NICE or an RLIMIT_RTPRIO; then the default must do.
                _ = pthread_setschedparam(pthread_self(), SCHED_RR, &parameters)
            }
            start.body()
            return nil
        }, start.toOpaque())
    if code != 0 { start.release() }
    return code
}

private final class WriterStart: Sendable {
    let realTimePriority: Bool
    let body: @Sendable () -> Void

    init(realTimePriority: Bool, body: @escaping @Sendable () -> Void) {
        self.realTimePriority = realTimePriority
        self.body = body
    }
}

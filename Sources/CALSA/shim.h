#include <alsa/asoundlib.h>

// ALSA reports trouble on stderr, which belongs to the application. Its handler takes a va_list, which Swift
// cannot write down, hence these two. Per thread: handlers of the application are left alone.

static void syrinx_alsa_ignore_error(const char *file, int line, const char *function, int code,
                                     const char *format, va_list arguments) {
    (void)file, (void)line, (void)function, (void)code, (void)format, (void)arguments;
}

/// Silences ALSA on this thread and returns the handler that was in place.
static inline snd_local_error_handler_t syrinx_alsa_silence(void) {
    return snd_lib_error_set_local(syrinx_alsa_ignore_error);
}

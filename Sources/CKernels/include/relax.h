// A hint to the processor that the loop around it only waits.
#pragma once

static inline void syrinx_relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

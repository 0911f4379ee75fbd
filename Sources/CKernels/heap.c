// For sbrk, mallopt and madvise.
#define _GNU_SOURCE
#include "include/heap.h"

#include <stdlib.h>

static bool is_enlarged;

bool syrinx_heap_is_enlarged(void) { return is_enlarged; }

#if defined(__GLIBC__)
#include <malloc.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void syrinx_enlarge_heap(void) {
    enum { growth = 32 << 20, mapped = 1 << 20 };
    mallopt(M_ARENA_MAX, 1);
    // Blocks from here on are mapped, on huge pages of their own; by default that size would rise
    // as such blocks are freed, and they would be cut from the heap.
    mallopt(M_MMAP_THRESHOLD, mapped);
    mallopt(M_TRIM_THRESHOLD, 8 * growth);
    mallopt(M_TOP_PAD, growth);
    // More than the heap has left: it grows. Volatile, or the compiler leaves out what is not used.
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)sbrk(0) + page - 1) / page * page;
    void *volatile block = malloc(mapped / 2);
    uintptr_t end = (uintptr_t)sbrk(0);
    if (end > start) is_enlarged = madvise((void *)start, end - start, MADV_HUGEPAGE) == 0;
    free(block);
}
#else
void syrinx_enlarge_heap(void) {}
#endif

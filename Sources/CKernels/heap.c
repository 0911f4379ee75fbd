// For sbrk, mallopt and madvise.
#define _GNU_SOURCE
#include "include/heap.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

// The part of the heap that is on huge pages; nothing unless it was enlarged.
static uintptr_t huge_begin, huge_end;

static void *aligned_block(size_t alignment, size_t bytes) {
    void *block = NULL;
    return posix_memalign(&block, alignment, bytes) == 0 ? block : NULL;
}

void *syrinx_large_block(size_t bytes) {
    enum { line = 64, huge_page = 2 << 20 };
    if (huge_end) {
        // On huge pages wherever it begins: rounding up would only take more of them.
        void *block = aligned_block(line, bytes);
        if (!block || ((uintptr_t)block >= huge_begin && (uintptr_t)block + bytes <= huge_end)) return block;
        free(block);
    }
    void *block = aligned_block(huge_page, bytes);
#if defined(MADV_HUGEPAGE)
    if (block) madvise(block, bytes, MADV_HUGEPAGE);
#endif
    return block;
}

#if defined(__GLIBC__)
#include <malloc.h>
#include <unistd.h>

void syrinx_enlarge_heap(void) {
    enum { growth = 32 << 20, mapped = 1 << 20 };
    mallopt(M_ARENA_MAX, 1);
    // Blocks of this size that the heap has no room for are mapped; by default that size would rise as such blocks
    // are freed, and they would be cut from a heap that has grown onto small pages.
    mallopt(M_MMAP_THRESHOLD, mapped);
    mallopt(M_TRIM_THRESHOLD, 8 * growth);
    mallopt(M_TOP_PAD, growth);
    // More than the heap has left: it grows. Volatile, or the compiler leaves out what is not used.
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)sbrk(0) + page - 1) / page * page;
    void *volatile block = malloc(mapped / 2);
    uintptr_t end = (uintptr_t)sbrk(0);
    if (end > start && madvise((void *)start, end - start, MADV_HUGEPAGE) == 0) {
        huge_begin = start;
        huge_end = end;
    }
    free(block);
}
#else
void syrinx_enlarge_heap(void) {}
#endif

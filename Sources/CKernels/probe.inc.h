#include "lanes.inc.h"

#define probe_at KERNEL(probe_at)

static void probe_at(size_t rounds, float *sink, double *operations) {
    enum { chains = 12 };
    vfloat sum[chains];
    for (int i = 0; i < chains; i++) sum[i] = v_set((float)i);
    vfloat a = v_set(0.999f), b = v_set(0.001f);
    for (size_t r = 0; r < rounds; r++) {
#pragma clang loop unroll(full)
        for (int i = 0; i < chains; i++) sum[i] = sum[i] * a + b;
        __asm__ volatile("" ::: "memory");
    }
    vfloat all = sum[0];
    for (int i = 1; i < chains; i++) all += sum[i];
    *sink = all[0];
    *operations = 2.0 * LANES * chains * (double)rounds;
}

#undef probe_at

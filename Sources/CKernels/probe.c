#include "include/probe.h"

#include "dispatch.h"

#define KERNEL_SOURCE "probe.inc.h"
#include "each_level.h"

static void probe(size_t rounds, float *sink, double *operations) {
    DISPATCH(probe_at, (rounds, sink, operations))
}

double syrinx_probe_multiply_add(size_t rounds, float *sink) {
    double operations = 0;
    probe(rounds, sink, &operations);
    return operations;
}

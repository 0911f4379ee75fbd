// How fast this core multiplies and adds, for the benchmark.
#pragma once
#include <stddef.h>

// Runs `rounds` rounds of 12 independent chains of multiply-adds at the level in use, each on one
// vector, and returns the operations done; the chains' sum goes to `sink` so that they are not
// optimised away. Without FMA a multiplication and an addition each count.
double syrinx_probe_multiply_add(size_t rounds, float *sink);

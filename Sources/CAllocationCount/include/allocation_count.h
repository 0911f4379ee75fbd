// Counts the calls of malloc and its relatives in this process, for the benchmark.
#pragma once
#include <stdint.h>

// Allocations so far, by any thread.
uint64_t syrinx_allocation_count(void);

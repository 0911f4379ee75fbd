// The inner loops that neither OpenBLAS nor Swift runs near the machine's limit.
//
// One source per subject, compiled once per instruction set and chosen at run time:
//   level.h        which instruction sets there are, which one is used, how a test forces one
//   relax.h        the processor's hint for spin loops
//   elementwise.h  exp, tanh, GELU …, softmax, layer norm
#pragma once
#include "elementwise.h"
#include "level.h"
#include "relax.h"

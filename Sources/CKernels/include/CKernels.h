// The inner loops that neither OpenBLAS nor Swift runs near the machine's limit.
//
// One source per subject, compiled once per instruction set and chosen at run time:
//   level.h        which instruction sets there are, which one is used, how a test forces one
//   fir.h          polyphase and interpolated FIR filters, for resampling
#pragma once
#include "level.h"
#include "fir.h"

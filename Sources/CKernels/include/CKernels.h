// The inner loops that neither OpenBLAS nor Swift runs near the machine's limit.
//
// One source per subject, compiled once per instruction set and chosen at run time:
//   level.h        which instruction sets there are, which one is used, how a test forces one
//   heap.h         larger steps and pages for the heap of a short process
//   relax.h        the processor's hint for spin loops
//   elementwise.h  exp, tanh, GELU …, softmax, layer norm
//   gemm.h         products with a packed matrix
//   conv.h         convolution over time, fast (Toom-Cook) or plain
//   mono.h         convolution down to one channel, with tanh
//   probe.h        the peak of this core, for the benchmark
//   unpacked.h     convolution of a few rows, from weights as they are stored
//   stage.h        an upsampler and its residual blocks as one stream
//   fir.h          polyphase and interpolated FIR filters, for resampling
#pragma once
#include "conv.h"
#include "elementwise.h"
#include "fir.h"
#include "gemm.h"
#include "heap.h"
#include "level.h"
#include "relax.h"
#include "mono.h"
#include "probe.h"
#include "stage.h"
#include "unpacked.h"

#define REAL_DOUBLE 1
#define NATIVE_TABLE mw_native_noise_double
#include "field/program/noise.inc"

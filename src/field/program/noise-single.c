#define NATIVE_TABLE mw_native_noise_single
#include "field/program/noise.inc"

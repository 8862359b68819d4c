/* Transforms of elements of 16 bytes, native. */
#define ELEMENT_BYTES 16
#define NATIVE_TABLE mw_native_transform_16
#include "lattice/native.inc"

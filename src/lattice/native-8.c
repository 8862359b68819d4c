/* Transforms of elements of 8 bytes, native. */
#define ELEMENT_BYTES 8
#define NATIVE_TABLE mw_native_transform_8
#include "lattice/native.inc"

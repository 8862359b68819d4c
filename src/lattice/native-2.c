/* Transforms of elements of 2 bytes, native. */
#define ELEMENT_BYTES 2
#define NATIVE_TABLE mw_native_transform_2
#include "lattice/native.inc"

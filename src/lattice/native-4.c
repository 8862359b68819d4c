/* Transforms of elements of 4 bytes, native. */
#define ELEMENT_BYTES 4
#define NATIVE_TABLE mw_native_transform_4
#include "lattice/native.inc"

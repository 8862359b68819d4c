/* Transforms of elements of 1 byte, native. */
#define ELEMENT_BYTES 1
#define NATIVE_TABLE mw_native_transform_1
#include "lattice/native.inc"

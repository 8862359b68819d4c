/* Primitives of integers of 32 bits without a sign, native. */
#define NAME u32
#define REDUCES 1
#define ELEMENT u32
#define SIGNED 0
#define SCANS 1
#define COUNT_64 1
#define BYTES 1
#include "prim/native.inc"

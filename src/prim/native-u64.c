/* Primitives of integers of 64 bits without a sign, native. */
#define NAME u64
#define REDUCES 1
#define ELEMENT u64
#define SIGNED 0
#define SCANS 1
#define ELEMENT_64 1
#define KEY_64 1
#define COUNT_64 1
#include "prim/native.inc"

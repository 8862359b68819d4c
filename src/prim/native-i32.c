/* Primitives of integers of 32 bits with a sign, native. */
#define NAME i32
#define REDUCES 1
#define ELEMENT i32
#define SIGNED 1
#define COMPONENTS 1
#include "prim/native.inc"

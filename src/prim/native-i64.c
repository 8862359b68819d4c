/* Primitives of integers of 64 bits with a sign, native. */
#define NAME i64
#define REDUCES 1
#define ELEMENT i64
#define SIGNED 1
#define COMPONENTS 1
#define LABEL_64 1
#include "prim/native.inc"

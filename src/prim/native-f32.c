/* Primitives of reals of single precision, native. */
#define NAME f32
#define REDUCES 1
#define ELEMENT i32
#define SIGNED 1
#define REALS 1
#include "prim/native.inc"

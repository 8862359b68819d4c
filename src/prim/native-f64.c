/* Primitives of reals of double precision, native. */
#define NAME f64
#define REDUCES 1
#define ELEMENT i64
#define SIGNED 1
#define REALS 1
#define REAL_DOUBLE 1
#include "prim/native.inc"

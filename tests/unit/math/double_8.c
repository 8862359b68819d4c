/* Elementary functions of double precision, 8 lanes at a time. */
#define REAL_DOUBLE 1
#define VEC 8
#define TABLE math_double_8
#include "tests/unit/math/functions.h"
/* SPDX-License-Identifier: MIT */

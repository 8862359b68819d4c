/* Elementary functions of double precision, 1 lane at a time. */
#define REAL_DOUBLE 1
#define VEC 1
#define TABLE math_double_1
#include "tests/unit/math/functions.h"
/* SPDX-License-Identifier: MIT */

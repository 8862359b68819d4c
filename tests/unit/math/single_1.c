/* Elementary functions of single precision, 1 lane at a time. */
#define VEC 1
#define TABLE math_single_1
#include "tests/unit/math/functions.h"
/* SPDX-License-Identifier: MIT */

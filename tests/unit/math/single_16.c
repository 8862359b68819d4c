/* Elementary functions of single precision, 16 lanes at a time. */
#define VEC 16
#define TABLE math_single_16
#include "tests/unit/math/functions.h"
/* SPDX-License-Identifier: MIT */

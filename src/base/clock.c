/* Time without compiling. */
#include "base/base.h"

static _Atomic uint64_t compiled; /* nanoseconds */

double mw_compile_seconds(void) { return 1e-9 * (double)compiled; }
void mw_compile_seconds_add(double seconds) { compiled += seconds > 0 ? (uint64_t)(1e9 * seconds) : 0; }
double mw_work_now(void) { return mw_now() - mw_compile_seconds(); }
/* SPDX-License-Identifier: MIT */

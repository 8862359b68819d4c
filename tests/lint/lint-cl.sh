#!/bin/sh
# The lint of kernels finds each trap, at its line, and nothing in good text.
# SPDX-License-Identifier: MIT
set -u
lint=${srcdir:-.}/tools/lint-cl
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

# trap_found NAME LINE WORD: the text on standard input, as NAME.cl, yields one finding, at LINE, that contains WORD.
trap_found() {
    cat >"$folder/$1.cl"
    findings=$("$lint" "$folder/$1.cl") && { echo "$1: exit 0"; failures=$((failures + 1)); }
    case $findings in
        "$folder/$1.cl:$2: "*"$3"*) [ "$(echo "$findings" | wc -l)" -eq 1 ] && return ;;
    esac
    echo "$1: expected one finding at line $2 about $3, and got:"
    echo "$findings"
    failures=$((failures + 1))
}

# fine NAME: the text on standard input, as NAME, yields nothing.
fine() {
    cat >"$folder/$1"
    findings=$("$lint" "$folder/$1") && [ -z "$findings" ] && return
    echo "$1: expected no finding, and got:"
    echo "$findings"
    failures=$((failures + 1))
}

trap_found local-argument 2 'kernel argument' <<'END'
__kernel void f(__global float *a,
                __local float *tile)
{
    tile[0] = a[0];
}
END
trap_found shared-argument 1 'kernel argument' <<'END'
__kernel void f(SHARED float *tile) { tile[0] = 1.0f; }
END
trap_found vector-literal 1 'make_' <<'END'
INLINE void f(void) { float4 v = (float4)(1, 2, 3, 4); }
END
trap_found vector-literal-spaced 3 'make_' <<'END'
/* a comment
 * of two lines */
INLINE void f(void) { realv v = ( realv ) (1); }
END
trap_found vector-literal-in-macro 2 'make_' <<'END'
#define PAIR(a, b) \
    (int2)(a, b)
END
trap_found variadic-macro 2 'by name' <<'END'
#define PAIR(a, b) f(a, b)
#define CALL(f, ...) f(__VA_ARGS__)
END
trap_found half 3 'type' <<'END'
INLINE int f(int n)
{
    const int half = n / 2;
    return n;
}
END
trap_found system-include 1 'include' <<'END'
#include <math.h>
END
trap_found absolute-include 2 'outside' <<'END'
// a line
  #  include "/usr/share/a.clh"
END
trap_found include-above 1 'outside' <<'END'
#include "../a.clh"
END
trap_found plain-literal 1 '0.5' <<'END'
INLINE real f(real x) { return x * 0.5; }
END
trap_found literal-without-digits 1 '1.' <<'END'
INLINE real f(real x) { return x + 1.; }
END
trap_found exponent-literal 1 '1e-3' <<'END'
INLINE real f(real x) { return x + 1e-3; }
END
trap_found hexadecimal-literal 1 '0x1p-3' <<'END'
INLINE real f(real x) { return x * R(0x1p-3); }
END
trap_found literal-in-macro 2 '2.5' <<'END'
#define HALF R(0.5)
#define MORE(x) ((x) * 2.5)
END
trap_found barrier-in-for 4 'barrier' <<'END'
__kernel void f(__global int *a, const int n)
{
    for (int i = 0; i < n; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
END
trap_found barrier-in-while 3 'barrier' <<'END'
__kernel void f(__global int *a)
{
    while (a[0]) if (a[1]) barrier(CLK_LOCAL_MEM_FENCE);
}
END
trap_found barrier-in-do 4 'barrier' <<'END'
__kernel void f(__global int *a)
{
    do {
        if (a[1]) { barrier(CLK_LOCAL_MEM_FENCE); }
    } while (a[0]);
}
END
trap_found barrier-in-inner-loop 5 'barrier' <<'END'
__kernel void f(__global int *a, const int n)
{
    for (int i = 0; i < 4; i++) { /* uniform */
        for (int j = 0; j < a[i]; j++)
            barrier(CLK_LOCAL_MEM_FENCE);
    }
}
END
trap_found barrier-in-macro 2 'barrier' <<'END'
#define ROUNDS(n) \
    for (int i = 0; i < n; i++) barrier(CLK_LOCAL_MEM_FENCE)
END
trap_found group-number 1 'get_group_id' <<'END'
INLINE i64 tile(void) { return (i64)get_group_id(0); }
END
trap_found double 1 'double' <<'END'
INLINE double f(real x) { return x; }
END
trap_found image 3 'image2d_t' <<'END'
#if USE_IMAGE
#else
__kernel void f(__read_only image2d_t picture) { }
#endif
END
trap_found image-after-condition 3 'sampler_t' <<'END'
#ifdef USE_IMAGE
#endif
LUT sampler_t nearest = 0;
END

fine good.cl <<'END'
//@ param K 1.0 "not code: 2.5, double, (float4)(1,2)"
#include "field/view.clh"
/* #include <math.h>, a barrier( in a loop, 0.5 */
#define QUARTER R(0.25)
#define MESSAGE "double 0.5 (float4)("
LUT float weights[2] = { 1.0f, .5e-3f };
#ifndef USE_IMAGE
typedef int picture;
#else
typedef image2d_t picture;
#endif
#if defined(USE_IMAGE) && VEC == 1
INLINE void g(image3d_t volume) { (void)volume; }
#endif
__kernel void f(__global real *a, const int n)
{
    SHARED real tile[LX];
    const u32 mask = 0x1e5u, all = 0xFFFFFFFE+1;
    for (int i = 0; i < n; i++)
        a[i] = R(-0.5) * (real)(i) + R( 1e-3 );
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = LX; step > 0; step /= 2) { // uniform: LX is a constant
        if (step > n) { tile[0] = R(1.0); }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    do { a[0] = tile[0]; } while (a[0] > 1.5f);
    while (a[0] > 2.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
}
END
fine prelude.clh <<'END'
#include <stdint.h>
typedef double real;
END

"$lint" "$folder/nothing-here" >/dev/null 2>&1 && { echo "a missing file: exit 0"; failures=$((failures + 1)); }
[ $failures -eq 0 ]

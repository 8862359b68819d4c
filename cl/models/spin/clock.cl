//@ model clock "E = -J sum cos(2 pi (s - s') / q)"
//@ about "Directions in the plane by multiples of 1/q turn: ising for q = 2, almost xy for large q."
//@ spin spin clock q
//@ start up J
//@ param q 6 "number of directions, up to 128"
//@ param T 0.9 "temperature"
//@ param J 1 "coupling of neighbours"

PAIR(s, t) { return R(0.0) - P(J) * cos_turn((real)(s - t) * PER_VALUE); }

/* Reflects at a random line through the origin: s becomes a - s. */
REFLECT(s)
{
    const i32 q = (i32)P(q), t = PICK(0, q) - s;
    return t < 0 ? t + q : t;
}
/* SPDX-License-Identifier: MIT */

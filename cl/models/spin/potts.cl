//@ model potts "E = -J sum [s = s']"
//@ about "Spins of q kinds; only equal neighbours attract each other (Potts 1952)."
//@ spin spin labels q
//@ start up J
//@ param q 3 "number of kinds, up to 128"
//@ param T 0.9949728433 "temperature; the default is critical in the plane for q = 3: 1 / log(1 + sqrt(q))"
//@ param J 1 "coupling of equal neighbours"

PAIR(s, t) { return s == t ? R(0.0) - P(J) : R(0.0); }

/* Exchanges two kinds (Wolff 1989): a random one and a random other one. */
REFLECT(s)
{
    const i32 q = (i32)P(q), a = PICK(0, q), other = q > 1 ? PICK(1, q - 1) : 0;
    const i32 b = q > 1 ? (other >= a ? other + 1 : other) : a;
    return s == a ? b : s == b ? a : s;
}
/* SPDX-License-Identifier: MIT */

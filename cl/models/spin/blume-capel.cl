//@ model blume-capel "E = -J sum s s' + D sum s^2 - h sum s"
//@ about "Spins -1, 0 and 1 (Blume 1966, Capel 1966): continuous transitions up to a tricritical point."
//@ spin spin whole -1 1
//@ start up J
//@ param T 1.0 "temperature"
//@ param J 1 "coupling of neighbours"
//@ param D 0.5 "energy of a spin that is not 0"
//@ param h 0 "external field"

PAIR(s, t) { return R(0.0) - P(J) * (real)(s * t); }

OWN(s) { return P(D) * (real)(s * s) - P(h) * (real)s; }

REFLECT(s) { return -s; }
/* SPDX-License-Identifier: MIT */

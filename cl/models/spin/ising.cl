//@ model ising "E = -J sum s s' - h sum s"
//@ about "Magnetic moments that point up or down (Lenz 1920, Ising 1925): the simplest model of a phase transition."
//@ spin spin signs
//@ start up J
//@ param T 2.269185314213022 "temperature, in units in which Boltzmann's constant is 1"
//@ param J 1 "coupling of neighbours; positive: ferromagnetic"
//@ param h 0 "external field"
//@ param outside 1 "spin beyond fixed boundaries: 1, -1, or 0 for none"

PAIR(s, t) { return s == t ? R(0.0) - P(J) : s + t == 0 ? P(J) : R(0.0); }

OWN(s) { return s > 0 ? R(0.0) - P(h) : P(h); }

REFLECT(s) { return -s; }
/* SPDX-License-Identifier: MIT */

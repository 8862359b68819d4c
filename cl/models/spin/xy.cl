//@ model xy "E = -J sum cos 2 pi (s - s')"
//@ about "Directions in the plane, in turns: vortices bind in pairs (Kosterlitz and Thouless 1973)."
//@ spin spin angle
//@ start up J
//@ param T 0.8929 "temperature; the default is near the transition in the plane"
//@ param J 1 "coupling of neighbours"
//@ param width 1 "range of Metropolis steps in turns: at most half of it to either side"

PAIR(s, t) { return R(0.0) - P(J) * cos_turn(s - t); }

PROPOSE(s) { return turned(s + P(width) * (U(1) - R(0.5))); }

/* Reflects at a random line through the origin. */
REFLECT(s) { return turned(U(0) - s); }
/* SPDX-License-Identifier: MIT */

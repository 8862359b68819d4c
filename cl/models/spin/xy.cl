//@ model xy "E = -J sum cos 2 pi (s - s')"
//@ about "Directions in the plane, in turns: vortices that bind in pairs (Kosterlitz and Thouless 1973)."
//@ spin spin angle
//@ start up J
//@ param T 0.8929 "temperature; the plane's transition is near the default"
//@ param J 1 "coupling of neighbours"
//@ param width 1 "turns that Metropolis' rule may turn a spin by: at most half of this to either side"

PAIR(s, t) { return R(0.0) - P(J) * cos_turn(s - t); }

PROPOSE(s) { return turned(s + P(width) * (U(1) - R(0.5))); }

/* A line through the origin at random. */
REFLECT(s) { return turned(U(0) - s); }
/* SPDX-License-Identifier: MIT */

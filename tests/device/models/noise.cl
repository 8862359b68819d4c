//@ model noise "du/dt = a eta + b lap zeta, v takes the same eta, w none but a stage's"
//@ field u
//@ field v
//@ field w
//@ noise eta "of u and v"
//@ noise zeta "of u and w"
//@ param a 1.0 "strength of eta"
//@ param b 0.0 "strength of zeta"
//@ dt 0.25
STAGE(s) { return NOISE(zeta); }
RATE(u) { return P(a) * NOISE(eta) + P(b) * LAP(s); }
RATE(v) { return NOISE(eta) + AT(s); }
RATE(w) { return RANDOM(zeta); }
/* SPDX-License-Identifier: MIT */

//@ model noise "dx/dt = a eta + b lap zeta, y takes the same eta, z none but a stage's"
//@ field x
//@ field y
//@ field z
//@ noise eta "of x and y"
//@ noise zeta "of x and z"
//@ param a 1.0 "strength of eta"
//@ param b 0.0 "strength of zeta"
//@ dt 0.25
STAGE(s) { return NOISE(zeta); }
RATE(x) { return P(a) * NOISE(eta) + P(b) * LAP(s); }
RATE(y) { return NOISE(eta) + AT(s); }
RATE(z) { return RANDOM(zeta); }
/* SPDX-License-Identifier: MIT */

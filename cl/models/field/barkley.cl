//@ model barkley "du/dt = u (1 - u) (u - (v + b) / a) / e + D lap u, dv/dt = u - v"
//@ about "An excitable medium: waves break up into rotating spirals."
//@ field u
//@ field v
//@ param a 0.75 "length of the excited state"
//@ param b 0.02 "threshold of excitation"
//@ param e 0.04 "time scale of u over that of v"
//@ param D 4.0 "diffusivity of u"
//@ dt 0.01

/* Barkley 1991, Physica D 49, 61, equations 1 and 2.  It starts with a front in one half, and rest in another half, so
 * that the front curls into a spiral. */
start(u) = step(x - length_x / 2);
start(v) = a / 2 * step(y - length_y / 2);
rate(u) = u * (1 - u) * (u - (v + b) / a) / e + D * lap(u);
rate(v) = u - v;
/* SPDX-License-Identifier: MIT */

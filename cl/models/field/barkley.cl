//@ model barkley "du/dt = u (1 - u) (u - (v + b) / a) / e + lap u, dv/dt = u - v"
//@ about "An excitable medium: waves break up into rotating spirals."
//@ field u noise=0.5 mean=0.5
//@ field v noise=0.4 mean=0.4
//@ param a 0.75 "length of the excited state"
//@ param b 0.06 "threshold of excitation"
//@ param e 0.08 "time scale of u over that of v"
//@ dt 0.01

/* Barkley 1991, Physica D 49, 61, equations 1 and 2. */
rate(u) = u * (1 - u) * (u - (v + b) / a) / e + lap(u);
rate(v) = u - v;
/* SPDX-License-Identifier: MIT */

//@ model schnakenberg "du/dt = g (a - u + u^2 v) + lap u, dv/dt = g (b - u^2 v) + d lap v"
//@ about "The simplest chemical reaction with spots."
//@ field u noise=0.1 mean=1
//@ field v noise=0.1 mean=0.9
//@ param a 0.1 "supply of u"
//@ param b 0.9 "supply of v"
//@ param d 10.0 "ratio of the diffusivities"
//@ param g 0.2 "strength of the reaction"
//@ dt 0.02

/* Schnakenberg 1979, Journal of Theoretical Biology 81, 389. */
rate(u) = g * (a - u + u^2 * v) + lap(u);
rate(v) = g * (b - u^2 * v) + d * lap(v);
/* SPDX-License-Identifier: MIT */

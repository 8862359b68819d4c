//@ model klein-gordon "du/dt = v, dv/dt = lap u - a u - b u^3"
//@ about "A relativistic field with self-interaction: a = -1 has kinks between u = -1 and u = 1."
//@ field u noise=1
//@ field v
//@ param a -1.0 "squared mass"
//@ param b 1.0 "self-interaction"
//@ param d 0.02 "damping"
//@ dt 0.05

energy = v^2 / 2 - u * lap(u) / 2 + a/2 * u^2 + b/4 * u^4;
rate(u) = v;
rate(v) = -variation(u) - d * v;
/* SPDX-License-Identifier: MIT */

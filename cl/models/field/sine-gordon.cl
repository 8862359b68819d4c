//@ model sine-gordon "du/dt = v, dv/dt = lap u - sin u - d v"
//@ about "Coupled pendulums or a Josephson junction: kinks and breathers."
//@ field u noise=3
//@ field v
//@ param d 0.05 "damping"
//@ dt 0.05

/* Frenkel, Kontorova 1938; Perring, Skyrme 1962. */
energy = v^2 / 2 - u * lap(u) / 2 + 1 - cos(u);
rate(u) = v;
rate(v) = -variation(u) - d * v;
/* SPDX-License-Identifier: MIT */

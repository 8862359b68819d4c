//@ model burgers "du/dt = n lap u - u du/dx - v du/dy, and the same for v"
//@ about "A velocity that carries itself: smooth starts become steep fronts."
//@ field u noise=0.5
//@ field v noise=0.5
//@ param n 0.5 "viscosity"
//@ dt 0.05

/* Burgers 1948, Advances in Applied Mechanics 1, 171. */
rate(u) = n * lap(u) - u * d_x(u) - v * d_y(u);
rate(v) = n * lap(v) - u * d_x(v) - v * d_y(v);
/* SPDX-License-Identifier: MIT */

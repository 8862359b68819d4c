//@ model thin-film "dh/dt = div(h^3 grad dF/dh), F = integral of P(h) + K/2 |grad h|^2"
//@ about "A liquid film that breaks into droplets on a surface."
//@ field h noise=0.05 mean=1
//@ param K 0.5 "surface tension"
//@ param A 0.2 "strength of the wetting potential"
//@ param w 0.4 "thickness of the film that remains"
//@ dt 0.001
//@ conserve h

/* Oron, Davis, Bankoff 1997, Reviews of Modern Physics 69, 931.  P(h) = A (w^3 / (5 h^5) - 1 / (2 h^2)). */
energy = A * (w^3 / (5 * h^5) - 1 / (2 * h^2)) - K/2 * h * lap(h);
rate(h) = div(h^3 * grad(variation(h)));
/* SPDX-License-Identifier: MIT */

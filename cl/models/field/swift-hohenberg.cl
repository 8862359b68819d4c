//@ model swift-hohenberg "du/dt = e u - (1 + L lap)^2 u - u^3"
//@ about "Stripes of convection in a fluid layer heated from below."
//@ field u noise=0.1 mean=0
//@ param e 0.3 "distance from the onset of convection"
//@ param L 1.5 "squared wavelength of the stripes over 4 pi^2, in cells"
//@ dt 0.005

/* Swift, Hohenberg 1977.  w = (1 + L lap) u is a stage since the rate uses its neighbours. */
stage(w) = u + L * lap(u);
rate(u) = e * u - (w + L * lap(w)) - u * u * u;

/* -e/2 u^2 + u^4/4 + ((1 + L lap) u)^2 / 2; it never rises. */
u2 = u * u;
energy = 0.25 * u2 * u2 - 0.5 * e * u2 + 0.5 * w * w;
/* SPDX-License-Identifier: MIT */

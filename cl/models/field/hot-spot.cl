//@ model hot-spot "du/dt = e u - (1 + L lap)^2 u - u^3, e = e(x, y)"
//@ about "Stripes of convection in a fluid layer that is heated in a spot."
//@ field u noise=0.1
//@ map e 0 "distance from the onset of convection"
//@ param h 0.5 "the same in the middle of the spot"
//@ param g 0.2 "how far it is below the onset elsewhere"
//@ param w 24 "radius of the spot"
//@ param L 1.5 "squared wavelength of the stripes over 4 pi^2, in cells"
//@ dt 0.005

/* The equation of Swift and Hohenberg 1977 with a map for e.  By default e is a Gaussian around the middle. */
square(x) = x * x;
map(e) = (h + g) * exp(-0.5 * (square(x - length_x / 2) + square(y - length_y / 2) + square(z - length_z / 2))
                       / square(w)) - g;

stage(s) = u + L * lap(u);
rate(u) = e * u - (s + L * lap(s)) - u^3;
energy = u^4 / 4 - e * u^2 / 2 + s^2 / 2;
/* SPDX-License-Identifier: MIT */

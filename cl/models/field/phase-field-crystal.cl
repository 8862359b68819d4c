//@ model phase-field-crystal "dp/dt = lap dF/dp, F = integral of p/2 (a + (1 + L lap)^2) p + p^4 / 4"
//@ about "Crystals with defects and grain boundaries, on the scale of atoms and the time of diffusion."
//@ field p noise=0.1 mean=-0.25
//@ param a -0.3 "undercooling: below 0"
//@ param L 1.5 "squared wavelength over 4 pi^2, in cells"
//@ dt 0.0005
//@ conserve p

/* Elder, Katakowski, Haataja, Grant 2002, Physical Review Letters 88, 245701. */
w = p + L * lap(p);
energy = a/2 * p^2 + w^2 / 2 + p^4 / 4;
rate(p) = lap(variation(p));
/* SPDX-License-Identifier: MIT */

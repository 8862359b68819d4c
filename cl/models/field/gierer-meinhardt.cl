//@ model gierer-meinhardt "da/dt = a^2 / (h (1 + k a^2)) - a + D lap a, dh/dt = m (a^2 - h) + E lap h"
//@ about "An activator and an inhibitor: spots and stripes of animal coats."
//@ field a noise=0.1 mean=1
//@ field h noise=0.1 mean=1
//@ param k 0.1 "saturation of the activator"
//@ param m 1.6 "rate of the inhibitor"
//@ param D 0.2 "diffusivity of the activator"
//@ param E 5.0 "diffusivity of the inhibitor"
//@ dt 0.02

/* Gierer, Meinhardt 1972, Kybernetik 12, 30. */
rate(a) = a^2 / (h * (1 + k * a^2)) - a + D * lap(a);
rate(h) = m * (a^2 - h) + E * lap(h);
/* SPDX-License-Identifier: MIT */

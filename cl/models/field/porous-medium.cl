//@ model porous-medium "du/dt = div((a + u^2) grad u)"
//@ about "Diffusion with a conductivity that depends on the concentration: fronts of finite speed."
//@ field u noise=0.5 mean=0.5
//@ param a 0.0 "conductivity without the substance"
//@ dt 0.05
//@ conserve u

/* Barenblatt 1952; u^2 is the exponent 3 of the porous medium equation, over 3. */
rate(u) = div((a + u^2) * grad(u));
/* SPDX-License-Identifier: MIT */

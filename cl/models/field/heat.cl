//@ model heat "dT/dt = D lap T"
//@ about "Diffusion of heat or of a substance (Fourier 1822)."
//@ field T noise=1
//@ param D 0.2 "diffusivity"
//@ dt 0.1
//@ conserve T

rate(T) = D * lap(T);

/* D/2 |grad T|^2, whose negative derivative is the rate; cahn-hilliard explains the form. */
energy = -0.5 * D * T * lap(T);
/* SPDX-License-Identifier: MIT */

//@ model diffusion "dc/dt = D lap c"
//@ about "Diffusion between walls: meshwork run ./diffusion.cl --size 64x64 --until 10"
//@ field c
//@ param D 0.1 "diffusivity"
//@ conserve c

start(c) = 0.25 + 0.05 * noise;
boundary(c) = slope(0);
rate(c) = D * lap(c);
/* SPDX-License-Identifier: MIT */

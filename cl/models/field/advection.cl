//@ model advection "dc/dt = D lap c - U dc/dx - V dc/dy"
//@ about "A substance that diffuses in a uniform flow."
//@ field c noise=1
//@ param D 0.05 "diffusivity"
//@ param U 0.5 "velocity along x"
//@ param V 0.25 "velocity along y"
//@ dt 0.2
//@ conserve c

/* Upwind differences keep the maximum, and add a diffusivity of U/2 along x (Courant, Isaacson, Rees 1952). */
rate(c) = D * lap(c) - upwind_x(U, c) - upwind_y(V, c);
/* SPDX-License-Identifier: MIT */

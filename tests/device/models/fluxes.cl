//@ model fluxes "fluxes, one-sided and mixed differences, choices per cell, and functions"
//@ field a noise=0.5 mean=0.5 outside=0.25
//@ field b noise=0.5 outside=-0.5
//@ param k 0.05 "strength of all terms"
//@ dt 0.01
m = 1 + a^2;
s = b > a ? sqrt(abs(b)) : exp(-a);
rate(a) = k * (div(m * grad(b)) + upwind_x(b, a) + upwind_y(a - b, s) + d_xy(m));
rate(b) = k * (dot(grad(a), grad(b)) + lap(s) - d_yy(b) + curl(a, m)) + select(a < 0, k, sin(b)) / 8;
/* SPDX-License-Identifier: MIT */

//@ model mapped "du/dt = div(D grad u) + lap(s u), D and s given"
//@ field u noise=0.5 mean=0.25 outside=0.5
//@ map D 0.25 "diffusivity"
//@ map s 0.5 "by place unless it is set"
//@ dt 0.01

map(s) = 0.125 * cos(x) + 0.0625 * y;
rate(u) = div(D * grad(u)) + lap(s * u);
/* SPDX-License-Identifier: MIT */

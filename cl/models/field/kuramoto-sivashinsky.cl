//@ model kuramoto-sivashinsky "du/dt = -lap u - lap lap u - 1/2 |grad u|^2"
//@ about "Turbulence of flame fronts: cells that appear, move and merge."
//@ field u noise=0.1
//@ param n 1.0 "strength of the nonlinear term"
//@ dt 0.01

/* Kuramoto 1978; Sivashinsky 1977, Acta Astronautica 4, 1177. */
rate(u) = -lap(u + lap(u)) - n/2 * grad2(u);
/* SPDX-License-Identifier: MIT */

//@ model conserved-allen-cahn "dc/dt = -m (dF/dc - mean(dF/dc)), F = integral of (1 - c^2)^2 / 4 + K/2 |grad c|^2"
//@ about "Domains grow as in allen-cahn, but the amount of each phase stays, by a constraint on the mean."
//@ field c noise=0.3
//@ param m 1.0 "mobility"
//@ param K 1.0 "gradient energy: squared width of a wall"
//@ dt 0.05
//@ conserve c

/* Rubinstein, Sternberg 1992, IMA Journal of Applied Mathematics 48, 249. */
energy = (1 - c^2)^2 / 4 - K/2 * c * lap(c);
rate(c) = -m * (variation(c) - mean(variation(c)));
/* SPDX-License-Identifier: MIT */

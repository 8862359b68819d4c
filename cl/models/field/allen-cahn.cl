//@ model allen-cahn "dc/dt = -m dF/dc, F = integral of (1 - c^2)^2 / 4 + K/2 |grad c|^2"
//@ about "Growth of ordered domains: c = 1 and c = -1 are equal phases, and walls shrink."
//@ field c noise=0.1
//@ param m 1.0 "mobility"
//@ param K 1.0 "gradient energy: squared width of a wall"
//@ dt 0.05

/* Allen, Cahn 1979, Acta Metallurgica 27, 1085. */
energy = (1 - c^2)^2 / 4 - K/2 * c * lap(c);
rate(c) = -m * variation(c);
/* SPDX-License-Identifier: MIT */

//@ model brusselator "du/dt = a - (b + 1) u + u^2 v + D lap u, dv/dt = b u - u^2 v + E lap v"
//@ about "A chemical oscillator with diffusion: spots and stripes, or waves."
//@ field u noise=0.1 mean=4.5
//@ field v noise=0.1 mean=1.7
//@ param a 4.5 "supply of u"
//@ param b 7.5 "conversion of u to v"
//@ param D 0.2 "diffusivity of u"
//@ param E 1.6 "diffusivity of v"
//@ dt 0.005

/* Prigogine, Lefever 1968, Journal of Chemical Physics 48, 1695. */
reaction = u * u * v;
rate(u) = a - (b + 1) * u + reaction + D * lap(u);
rate(v) = b * u - reaction + E * lap(v);
/* SPDX-License-Identifier: MIT */

//@ model cahn-hilliard "dc/dt = m lap(-b c + u c^3 - K lap c)"
//@ about "Phase separation of a binary alloy: c runs from -1 (all B) to 1 (all A)."
//@ field c noise=0.1 mean=0
//@ param m 1.0 "mobility"
//@ param b 1.0 "quadratic coefficient of the free energy"
//@ param u 1.0 "quartic coefficient of the free energy"
//@ param K 1.0 "gradient energy: squared width of an interface"
//@ dt 0.01
//@ conserve c

/* The chemical potential; the rate is its diffusion (Leist, Playne, Hawick 2008, equation 2). */
stage(mu) = u * c * c * c - b * c - K * lap(c);
rate(c) = m * lap(mu);

/* -b/2 c^2 + u/4 c^4 + K/2 |grad c|^2 (Cahn, Hilliard 1958).  The last term is computed as -K/2 c lap c, which has the
 * same sum.  With this form mu is exactly the derivative of the sum, also on the mesh, so the energy never rises. */
c2 = c * c;
energy = 0.25 * u * c2 * c2 - 0.5 * (b * c2 + K * c * lap(c));
/* SPDX-License-Identifier: MIT */

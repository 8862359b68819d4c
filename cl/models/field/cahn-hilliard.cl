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
STAGE(mu)
{
    const realv c = AT(c);
    return P(u) * c * c * c - P(b) * c - P(K) * LAP(c);
}

RATE(c)
{
    return P(m) * LAP(mu);
}

/* -b/2 c^2 + u/4 c^4 + K/2 |grad c|^2 (Cahn, Hilliard 1958).  The last term is computed as -K/2 c lap c, which has the
 * same sum.  With this form mu is exactly the derivative of the sum, also on the mesh, so the energy never rises. */
ENERGY()
{
    const realv c = AT(c), c2 = c * c;
    return R(0.25) * P(u) * c2 * c2 - R(0.5) * (P(b) * c2 + P(K) * c * LAP(c));
}
/* SPDX-License-Identifier: MIT */

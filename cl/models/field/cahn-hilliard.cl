//@ model cahn-hilliard "dc/dt = m lap(-b c + u c^3 - K lap c)"
//@ about "Phase separation of a binary alloy: c runs from -1 (all B) to 1 (all A)."
//@ field c noise=0.1 mean=0
//@ param m 1.0 "mobility"
//@ param b 1.0 "quadratic coefficient of the free energy"
//@ param u 1.0 "quartic coefficient of the free energy"
//@ param K 1.0 "gradient energy: squared width of an interface"
//@ dt 0.01
//@ conserve c

/* The chemical potential, then its diffusion (Leist, Playne, Hawick 2008, equation 2). */
STAGE(mu)
{
    const realv c = AT(c);
    return P(u) * c * c * c - P(b) * c - P(K) * LAP(c);
}

RATE(c)
{
    return P(m) * LAP(mu);
}

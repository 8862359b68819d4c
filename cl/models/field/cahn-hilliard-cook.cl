//@ model cahn-hilliard-cook "dc/dt = m lap(-b c + u c^3 - K lap c) + a div xi"
//@ about "Phase separation at a temperature T: conserved noise shakes the alloy, with a^2 = 2 m T."
//@ field c noise=0.1 mean=0
//@ noise eta amplitude=a "one factor of the random fluxes"
//@ noise zeta amplitude=a "the other"
//@ param m 1.0 "mobility"
//@ param b 1.0 "quadratic coefficient of the free energy"
//@ param u 1.0 "quartic coefficient of the free energy"
//@ param K 1.0 "gradient energy: squared width of an interface"
//@ param a 0.3 "strength of the noise: the square root of twice mobility times temperature"
//@ dt 0.01
//@ conserve c

STAGE(mu)
{
    const realv c = AT(c);
    return P(u) * c * c * c - P(b) * c - P(K) * LAP(c);
}

/* Random factors of each cell, from which the fluxes between neighbours follow. */
STAGE(p) { return NOISE(eta); }
STAGE(q) { return RANDOM(zeta); }

/* Cook 1970 adds the divergence of a random flux to the equation of Cahn and Hilliard.  Here the flux from neighbour
 * j into cell i is (p_i q_j - q_i p_j) a / sqrt(2): what one gains the other loses, and nothing passes a mirror.  Its
 * mean is 0, its variance a^2 / dt, and fluxes through different faces are uncorrelated, so the noise has the
 * covariance -a^2 lap, which is fluctuation and dissipation in balance, at all wavelengths: exactly so with the
 * second-order Laplacian, of which the sum over the neighbours is made.  (A divergence by central differences would
 * leave the shortest waves cold, and the Laplacian of a noise the long ones.) */
RATE(c)
{
    return P(m) * LAP(mu) + R(0.70710678118654752) * P(a) * (AT(p) * LAP(q) - AT(q) * LAP(p));
}

/* As in cahn-hilliard: the equilibrium is exp(-energy / T). */
ENERGY()
{
    const realv c = AT(c), c2 = c * c;
    return R(0.25) * P(u) * c2 * c2 - R(0.5) * (P(b) * c2 + P(K) * c * LAP(c));
}
/* SPDX-License-Identifier: MIT */

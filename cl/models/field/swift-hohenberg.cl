//@ model swift-hohenberg "du/dt = r u - (1 + L lap)^2 u - u^3"
//@ about "Stripes of convection in a fluid layer heated from below."
//@ field u noise=0.1 mean=0
//@ param r 0.3 "distance from the onset of convection"
//@ param L 1.5 "squared wavelength of the stripes over 4 pi^2, in cells"
//@ dt 0.005

/* Swift, Hohenberg 1977.  w = (1 + L lap) u is a stage since the rate uses its neighbours. */
STAGE(w)
{
    return AT(u) + P(L) * LAP(u);
}

RATE(u)
{
    const realv u = AT(u);
    return P(r) * u - (AT(w) + P(L) * LAP(w)) - u * u * u;
}

/* -r/2 u^2 + u^4/4 + ((1 + L lap) u)^2 / 2; it never rises. */
ENERGY()
{
    const realv u2 = AT(u) * AT(u);
    return R(0.25) * u2 * u2 - R(0.5) * P(r) * u2 + R(0.5) * AT(w) * AT(w);
}
/* SPDX-License-Identifier: MIT */

//@ model wave "du/dt = v, dv/dt = c^2 lap u + d lap v"
//@ about "Waves of a membrane that damps short ones: from noise, ever longer waves remain."
//@ field u noise=1
//@ field v
//@ param c 1.0 "speed"
//@ param d 0.1 "damping (Kelvin, Voigt): a wave of wavenumber k decays at the rate d k^2 / 2"
//@ dt 0.02
//@ conserve v

/* d'Alembert 1747.  With d = 0 the midpoint method lets a wave of frequency f grow by the factor 1 + (f dt)^4 / 8 a
 * step, which the default time step keeps below 3e-6 for the shortest waves in three dimensions. */
RATE(u)
{
    return AT(v);
}

RATE(v)
{
    return P(c) * P(c) * LAP(u) + P(d) * LAP(v);
}

/* v^2/2 + c^2/2 |grad u|^2; see cahn-hilliard about the form of the second. */
ENERGY()
{
    return R(0.5) * (AT(v) * AT(v) - P(c) * P(c) * AT(u) * LAP(u));
}
/* SPDX-License-Identifier: MIT */

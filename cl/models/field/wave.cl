//@ model wave "du/dt = v, dv/dt = c^2 lap u + d lap v"
//@ about "Waves of a membrane with damping, which is strongest for short waves."
//@ field u noise=1
//@ field v
//@ param c 1.0 "speed"
//@ param d 0.1 "damping (Kelvin, Voigt): a wave of wavenumber k decays at the rate d k^2 / 2"
//@ dt 0.02
//@ conserve v

/* d'Alembert 1747.  With d = 0 the midpoint method multiplies a wave of frequency f by 1 + (f dt)^4 / 8 per step.  The
 * default time step limits this growth to 3e-6 for the shortest waves in three dimensions. */
rate(u) = v;
rate(v) = c * c * lap(u) + d * lap(v);

/* v^2/2 + c^2/2 |grad u|^2; cahn-hilliard explains the form of the second term. */
energy = 0.5 * (v * v - c * c * u * lap(u));
/* SPDX-License-Identifier: MIT */

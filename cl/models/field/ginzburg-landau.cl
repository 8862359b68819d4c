//@ model ginzburg-landau "dpsi/dt = psi - (1 + i b) |psi|^2 psi + (1 + i a) lap psi"
//@ about "The complex, time-dependent Ginzburg-Landau equation: vortices of an order parameter, or spiral waves."
//@ field psi complex noise=0.1
//@ param a 0.0 "dependence of frequency on wavelength (dispersion)"
//@ param b 0.0 "dependence of frequency on amplitude"
//@ dt 0.05

/* Returns |psi|^2. */
rate(psi) = psi - abs2(psi) * ((1 + i * b) * psi) + (1 + i * a) * lap(psi);

/* -|psi|^2 + |psi|^4 / 2 + |grad psi|^2, the last term as -psi* lap psi.  It never rises if a = b = 0. */
n = abs2(psi);
energy = 0.5 * n * n - n - re(conj(psi) * lap(psi));
/* SPDX-License-Identifier: MIT */

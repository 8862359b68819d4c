//@ model ginzburg-landau "dpsi/dt = psi - (1 + i b) |psi|^2 psi + (1 + i a) lap psi"
//@ about "The complex, time-dependent Ginzburg-Landau equation: vortices of an order parameter, or spiral waves."
//@ field psi complex noise=0.1
//@ param a 0.0 "dependence of frequency on wavelength (dispersion)"
//@ param b 0.0 "dependence of frequency on amplitude"
//@ dt 0.05

/* Returns |psi|^2. */
INLINE realv squared_size(const realv re, const realv im) { return re * re + im * im; }

/* Aranson, Kramer 2002, Reviews of Modern Physics 74, equation 1.  If a = b = 0, the energy decreases and vortices
 * annihilate in pairs.  b = 1 gives spirals; 1 + a b < 0 gives turbulence. */
RATE(psi_re)
{
    const realv re = AT(psi_re), im = AT(psi_im);
    return re - squared_size(re, im) * (re - P(b) * im) + (LAP(psi_re) - P(a) * LAP(psi_im));
}

RATE(psi_im)
{
    const realv re = AT(psi_re), im = AT(psi_im);
    return im - squared_size(re, im) * (im + P(b) * re) + (LAP(psi_im) + P(a) * LAP(psi_re));
}

/* -|psi|^2 + |psi|^4 / 2 + |grad psi|^2, the last term as -psi* lap psi.  It never rises if a = b = 0. */
ENERGY()
{
    const realv re = AT(psi_re), im = AT(psi_im), n = squared_size(re, im);
    return R(0.5) * n * n - n - (re * LAP(psi_re) + im * LAP(psi_im));
}
/* SPDX-License-Identifier: MIT */

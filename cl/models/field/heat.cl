//@ model heat "dT/dt = D lap T"
//@ about "Diffusion of heat, or of anything else (Fourier 1822)."
//@ field T noise=1
//@ param D 0.2 "diffusivity"
//@ dt 0.1
//@ conserve T

RATE(T)
{
    return P(D) * LAP(T);
}

/* D/2 |grad T|^2, of which the rate is the negative derivative; see cahn-hilliard about its form. */
ENERGY()
{
    return R(-0.5) * P(D) * AT(T) * LAP(T);
}
/* SPDX-License-Identifier: MIT */

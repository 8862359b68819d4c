//@ model cahn-hilliard-cook "dc/dt = m lap(-b c + u c^3 - K lap c) + a div xi"
//@ about "Phase separation at temperature T, by conserved noise with a^2 = 2 m T."
//@ field c noise=0.1 mean=0
//@ noise eta amplitude=a "first factor of the random fluxes"
//@ noise zeta amplitude=a "second factor of the random fluxes"
//@ param m 1.0 "mobility"
//@ param b 1.0 "quadratic coefficient of the free energy"
//@ param u 1.0 "quartic coefficient of the free energy"
//@ param K 1.0 "gradient energy: squared width of an interface"
//@ param a 0.3 "strength of the noise: the square root of 2 m T"
//@ dt 0.01
//@ conserve c

stage(mu) = u * c * c * c - b * c - K * lap(c);

/* Cook 1970 adds the divergence of a random flux to the Cahn-Hilliard equation.  The flux through each face has the
 * variance a^2 / dt per volume.  The noise has the covariance -a^2 lap, which balances the dissipation at all
 * wavelengths.  This is exact with the second-order Laplacian, the sum over the nearest neighbours.  (A divergence by
 * central differences would give the shortest waves too little noise, and the Laplacian of a noise the long ones.) */
rate(c) = m * lap(mu) + div_noise(eta, zeta, a);

/* As in cahn-hilliard; the equilibrium distribution is exp(-energy / T). */
c2 = c * c;
energy = 0.25 * u * c2 * c2 - 0.5 * (b * c2 + K * c * lap(c));
/* SPDX-License-Identifier: MIT */

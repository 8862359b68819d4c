//@ model schroedinger "i dpsi/dt = -1/2 lap psi + g |psi|^2 psi"
//@ about "The nonlinear Schroedinger equation (Gross, Pitaevskii): waves of light or of a condensate."
//@ field psi complex noise=0.1 mean=1
//@ param g 1.0 "interaction: above 0 repulsive"
//@ dt 0.005

/* Gross 1961; Pitaevskii 1961.  Use rk4: rk2 amplifies waves. */
energy = -0.5 * re(conj(psi) * lap(psi)) + g/2 * abs2(psi)^2;
rate(psi) = -i * variation(psi);
/* SPDX-License-Identifier: MIT */

//@ model fitzhugh-nagumo "du/dt = u - u^3 / 3 - v + D lap u, dv/dt = e (u + b - c v)"
//@ about "A nerve membrane: pulses and spirals of excitation."
//@ field u noise=1.5
//@ field v noise=1
//@ param D 1.0 "diffusivity of the potential"
//@ param e 0.08 "rate of recovery"
//@ param b 0.7 "stimulus"
//@ param c 0.8 "decay of recovery"
//@ dt 0.05

/* FitzHugh 1961, Biophysical Journal 1, 445; Nagumo, Arimoto, Yoshizawa 1962. */
rate(u) = u - u^3 / 3 - v + D * lap(u);
rate(v) = e * (u + b - c * v);
/* SPDX-License-Identifier: MIT */

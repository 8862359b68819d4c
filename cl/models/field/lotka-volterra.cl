//@ model lotka-volterra "du/dt = u (g - s (u + v + w) + e v - f w) + D lap u, and cyclically for v and w"
//@ about "Three species, each the prey of another: predators chase their prey in spirals."
//@ field u noise=0.2 mean=0.3
//@ field v noise=0.2 mean=0.3
//@ field w noise=0.2 mean=0.3
//@ param g 1.0 "growth rate without competition"
//@ param s 1.0 "competition of all species for space"
//@ param e 0.6 "gain of a predator from its prey"
//@ param f 1.0 "loss of a prey to its predator"
//@ param D 0.5 "diffusivity"
//@ dt 0.05

/* Lotka 1920 and Volterra 1926 for n species, dn_i/dt = n_i (r_i + sum a_ij n_j), with the cyclic a_ij of May and
 * Leonard 1975, and diffusion.  u eats v, v eats w, w eats u. */
growth(self, prey, hunter) = self * (g - s * (self + prey + hunter) + e * prey - f * hunter);

rate(u) = growth(u, v, w) + D * lap(u);
rate(v) = growth(v, w, u) + D * lap(v);
rate(w) = growth(w, u, v) + D * lap(w);
/* SPDX-License-Identifier: MIT */

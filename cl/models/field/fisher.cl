//@ model fisher "du/dt = k u (1 - u) + D lap u"
//@ about "The advance of a favoured gene, or of a population, by fronts of constant speed."
//@ field u noise=0.01 mean=0.01
//@ param k 0.2 "growth rate"
//@ param D 0.5 "diffusivity"
//@ dt 0.1

/* Fisher 1937, Annals of Eugenics 7, 355; Kolmogorov, Petrovsky, Piskunov 1937. */
rate(u) = k * u * (1 - u) + D * lap(u);
/* SPDX-License-Identifier: MIT */

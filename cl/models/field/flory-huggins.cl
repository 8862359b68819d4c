//@ model flory-huggins "dp/dt = div(m p (1 - p) grad dF/dp), F of Flory and Huggins with K/2 |grad p|^2"
//@ about "Phase separation of a polymer blend; p is the volume fraction of the first polymer."
//@ field p noise=0.02 mean=0.4
//@ param m 1.0 "mobility"
//@ param N 2.0 "segments per chain of the first polymer"
//@ param X 2.5 "interaction parameter"
//@ param K 1.0 "gradient energy"
//@ dt 0.01
//@ conserve p

/* Flory 1942 and Huggins 1942; de Gennes 1980 for the dynamics. */
energy = p / N * log(p) + (1 - p) * log(1 - p) + X * p * (1 - p) - K/2 * p * lap(p);
rate(p) = div(m * p * (1 - p) * grad(variation(p)));
/* SPDX-License-Identifier: MIT */

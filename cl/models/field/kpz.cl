//@ model kpz "dh/dt = n lap h + l/2 |grad h|^2 + a eta"
//@ about "The height of a surface that grows by random deposition."
//@ field h
//@ noise eta amplitude=a "deposition on a cell"
//@ param n 1.0 "surface tension"
//@ param l 1.0 "growth along the normal"
//@ param a 0.1 "strength of the noise"
//@ dt 0.05

/* Kardar, Parisi, Zhang 1986, Physical Review Letters 56, 889. */
rate(h) = n * lap(h) + l/2 * grad2(h) + a * noise(eta);
/* SPDX-License-Identifier: MIT */

//@ model keller-segel "dn/dt = div(D grad n - X n / (1 + n) grad c), dc/dt = E lap c + n - c"
//@ about "Cells that move towards a substance which they secrete: they gather in clusters."
//@ field n noise=0.1 mean=1
//@ field c noise=0.1 mean=1
//@ param D 0.25 "diffusivity of the cells"
//@ param X 0.8 "sensitivity of the cells"
//@ param E 1.0 "diffusivity of the substance"
//@ dt 0.02
//@ conserve n

/* Keller, Segel 1970, Journal of Theoretical Biology 26, 399, with a sensitivity that saturates (Hillen, Painter 2009,
 * model M3). */
rate(n) = div(D * grad(n) - X * n / (1 + n) * grad(c));
rate(c) = E * lap(c) + n - c;
/* SPDX-License-Identifier: MIT */

//@ model kuramoto-sivashinsky "dc/dt = -1/2 |grad c|^2 - lap(c + lap c)"
//@ about "Flame fronts between walls: meshwork run ./kuramoto-sivashinsky.cl --size 32x32 --until 10"
//@ field c noise=0.1

boundary(c) = slope(0);
rate(c) = -grad2(c)/2 - lap(c + lap(c));
/* SPDX-License-Identifier: MIT */

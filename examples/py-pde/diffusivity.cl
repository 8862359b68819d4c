//@ model diffusivity "dc/dt = lap(D c), D = 1.01 + tanh(x)"
//@ about "A diffusivity in space: meshwork run ./diffusivity.cl --spacing 0.15625 --size 64 --until 20"
//@ field c
//@ map D 1 "diffusivity"
//@ param h 0.15625 "the spacing: cells of py-pde are at (i + 1/2) h - 5"
//@ dt 0.001

start(c) = 1;
map(D) = 1.01 + tanh(x + h/2 - 5);
boundary(c) = value(0);
rate(c) = lap(D*c);
/* SPDX-License-Identifier: MIT */

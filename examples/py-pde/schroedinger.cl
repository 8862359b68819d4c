//@ model schroedinger "i dpsi/dt = -1/2 lap psi"
//@ about "A wave packet between walls: meshwork run ./schroedinger.cl --spacing 0.15625 --size 128 --until 2.5"
//@ field psi complex
//@ param h 0.15625 "the spacing: cells of py-pde are at (i + 1/2) h"
//@ dt 0.001

start(psi_re) = 0;
start(psi_im) = sin(x + h/2) * exp(-(x + h/2 - 10)^2);
boundary(psi_re) = slope(0);
boundary(psi_im) = slope(0);
rate(psi) = i*lap(psi)/2;
/* SPDX-License-Identifier: MIT */

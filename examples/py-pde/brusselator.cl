//@ model brusselator "du/dt = D0 lap u + a - (b + 1) u + u^2 v, dv/dt = D1 lap v + b u - u^2 v"
//@ about "A chemical oscillator between walls: meshwork run ./brusselator.cl --size 64x64 --until 20"
//@ field u
//@ field v
//@ param D0 1 "diffusivity of u"
//@ param D1 0.1 "diffusivity of v"
//@ param a 1 "supply of u"
//@ param b 3 "conversion of u to v"
//@ dt 0.001

start(u) = 1;
start(v) = 3 + 0.1*noise;
boundary(u) = slope(0);
boundary(v) = slope(0);
rate(u) = D0*lap(u) + a - (b + 1)*u + u^2*v;
rate(v) = D1*lap(v) + b*u - u^2*v;
/* SPDX-License-Identifier: MIT */

//@ model gray-scott "du/dt = A lap u - u v^2 + F (1 - u), dv/dt = B lap v + u v^2 - (F + k) v"
//@ about "A reaction in a flow: v consumes u and forms spots, stripes and waves."
//@ field u noise=0.1 mean=0.46 outside=1
//@ field v noise=0.1 mean=0.27
//@ param A 0.16 "diffusivity of u"
//@ param B 0.08 "diffusivity of v"
//@ param F 0.06 "flow rate: supplies u and removes both"
//@ param k 0.062 "decay rate of v"
//@ dt 0.5

/* Gray, Scott 1984; Pearson 1993 maps the patterns for F and k.  If F > 4 (F + k)^2, there is a uniform state with v;
 * with the defaults, the fields start near it.  Otherwise v dies out, except in patches of an initial state given by
 * the user: with F = 0.0367 and k = 0.0649 these are spots that divide. */
rate(u) = A * lap(u) - u * v * v + F * (1 - u);
rate(v) = B * lap(v) + u * v * v - (F + k) * v;
/* SPDX-License-Identifier: MIT */

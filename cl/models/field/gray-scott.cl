//@ model gray-scott "du/dt = A lap u - u v^2 + F (1 - u), dv/dt = B lap v + u v^2 - (F + k) v"
//@ about "A reaction in a flow: v feeds on u and makes spots, stripes and waves."
//@ field u noise=0.1 mean=0.46 outside=1
//@ field v noise=0.1 mean=0.27
//@ param A 0.16 "diffusivity of u"
//@ param B 0.08 "diffusivity of v"
//@ param F 0.06 "rate of flow: feeds u, and washes both out"
//@ param k 0.062 "rate at which v decays"
//@ dt 0.5

/* Gray, Scott 1984; Pearson 1993 maps what F and k make.  Where F > 4 (F + k)^2 there is a state with v to start from,
 * as here; elsewhere v dies out but for patches that a start of one's own brings along: with F = 0.0367 and k = 0.0649
 * these are spots that divide. */
RATE(u)
{
    const realv u = AT(u), v = AT(v);
    return P(A) * LAP(u) - u * v * v + P(F) * (R(1.0) - u);
}

RATE(v)
{
    const realv u = AT(u), v = AT(v);
    return P(B) * LAP(v) + u * v * v - (P(F) + P(k)) * v;
}
/* SPDX-License-Identifier: MIT */

//@ model edwards-anderson "E = -sum J_ij s s' - h sum s, J_ij = m + w b"
//@ about "A spin glass (Edwards and Anderson 1975): random, fixed couplings of the pairs."
//@ spin spin signs
//@ bond b normal "random part of each coupling"
//@ param T 1.0 "temperature; with J_ij of variance 1 the cubic lattice freezes near 0.951"
//@ param m 0 "mean coupling"
//@ param w 1 "standard deviation of the couplings"
//@ param h 0 "external field"

PAIR(s, t)
{
    const real coupling = P(m) + P(w) * BOND(b);
    return s == t ? R(0.0) - coupling : coupling;
}

OWN(s) { return s > 0 ? R(0.0) - P(h) : P(h); }

REFLECT(s) { return -s; }
/* SPDX-License-Identifier: MIT */

//@ model random-field "E = -J sum s s' - sum (h + w f) s"
//@ about "An Ising magnet with a random field at each site (Imry and Ma 1975)."
//@ spin spin signs
//@ site f normal "random field of each site"
//@ param T 2.0 "temperature"
//@ param J 1 "coupling of neighbours"
//@ param h 0 "mean field"
//@ param w 1 "standard deviation of the fields"

PAIR(s, t) { return s == t ? R(0.0) - P(J) : P(J); }

OWN(s)
{
    const real field = P(h) + P(w) * SITE(f);
    return s > 0 ? R(0.0) - field : field;
}

REFLECT(s) { return -s; }
/* SPDX-License-Identifier: MIT */

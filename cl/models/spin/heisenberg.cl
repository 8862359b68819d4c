//@ model heisenberg "E = -J sum s . s'"
//@ about "Directions in space (Heisenberg 1928): ordered in three dimensions, but not below (Mermin, Wagner 1966)."
//@ spin spin vector
//@ start up J
//@ param T 1.4429 "temperature; the default is critical on the simple cubic lattice"
//@ param J 1 "coupling of neighbours"
//@ param width 1 "length of the random step that a Metropolis update adds to a spin before normalisation"

PAIR(s, t) { return R(0.0) - P(J) * dot_of(s, t); }

PROPOSE(s)
{
    const real z = R(2.0) * U(1) - R(1.0), across = square_root(R(1.0) - z * z);
    const state step = { across * cos_turn(U(2)), across * sin_turn(U(2)), z };
    return unit_of(sum_of(s, P(width), step));
}

/* Reflects at a random plane through the origin. */
REFLECT(s)
{
    const real z = R(2.0) * U(0) - R(1.0), across = square_root(R(1.0) - z * z);
    const state normal = { across * cos_turn(U(1)), across * sin_turn(U(1)), z };
    return unit_of(sum_of(s, R(-2.0) * dot_of(s, normal), normal));
}
/* SPDX-License-Identifier: MIT */

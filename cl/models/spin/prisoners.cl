//@ model prisoners "each site copies its best neighbour or keeps its state; 0 defects, 1 cooperates"
//@ about "The prisoner's dilemma with all neighbours (Nowak and May 1992): cooperation survives in clusters."
//@ spin spin labels 2
//@ param b 1.6 "gain of a defector from a cooperator; two cooperators gain 1 each"

/* Returns the gain of s from t. */
PAIR(s, t) { return t == 0 ? R(0.0) : s == 0 ? P(b) : R(1.0); }

/* A site plays with its neighbours and itself.  In a tie its own state wins, then that of the first neighbour. */
RULE(s)
{
    state best = s;
    real most = LOCAL() + (s == 0 ? R(0.0) : R(1.0));
    for (i32 j = 0; j < NEIGHBOURS; j++) {
        if (!THERE(j))
            continue;
        const state t = STATE_OF(j);
        const real gain = LOCAL_OF(j) + (t == 0 ? R(0.0) : R(1.0));
        if (gain > most) {
            most = gain;
            best = t;
        }
    }
    return best;
}
/* SPDX-License-Identifier: MIT */

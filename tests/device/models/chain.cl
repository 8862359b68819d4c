//@ model chain "two fields, and stages that look at stages"
//@ field a noise=0.25 mean=0.125
//@ field b noise=0.5 mean=-0.25
//@ param k 0.5 "coupling"
//@ param l 0.25 "damping"
//@ dt 0.0001
//@ conserve a

/* p is read around q, around s and at the cell itself. */
STAGE(p)
{
    return LAP(a) + AT(b) * AT(b);
}

STAGE(q)
{
    const realv centre = R(0.5) * AT(p);
    return centre - P(l) * LAP(p);
}

STAGE(s)
{
    return AT(a) * AT(p);
}

RATE(b)
{
    return LAP(s) - P(l) * AT(p);
}

RATE(a)
{
    return P(k) * LAP(q);
}
/* SPDX-License-Identifier: MIT */

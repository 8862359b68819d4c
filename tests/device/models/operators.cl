//@ model operators "every operator of fields and stages, of each kind"
//@ field a noise=1 outside=0.5
//@ field b noise=1 mean=0.25 outside=-0.25
//@ param k 0.01 "of the highest derivatives"
//@ dt 0.05
STAGE(s)
{
    return AT(a) * AT(b) + GRAD_X(a);
}

RATE(a)
{
    return AVG(s) + LAP(b) - P(k) * BIHARM(a) - GRAD_X(b) * GRAD_Y(a);
}

RATE(b)
{
    return R(0.25) * GRAD2(s) + GRAD_Y(s) - GRAD_Z(b) - P(k) * LAP(s);
}

ENERGY()
{
    return GRAD2(a) + AT(s) * GRAD_Y(b);
}
/* SPDX-License-Identifier: MIT */

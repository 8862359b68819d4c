//@ model broken "a slip in line 5"
//@ field c noise=1
RATE(c)
{
    return LAP(c) +* R(2.0);
}
/* SPDX-License-Identifier: MIT */

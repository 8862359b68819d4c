//@ model heat "dT/dt = lap T"
//@ field T noise=1
//@ dt 0.1
RATE(T) { return LAP(T); }
/* SPDX-License-Identifier: MIT */

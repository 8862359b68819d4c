//@ model sir "ds/dt = -b s i, di/dt = b s i - g i + D lap i, dr/dt = g i"
//@ about "An epidemic in space: fractions of susceptible, infected and recovered."
//@ field s mean=0.99
//@ field infected noise=0.01 mean=0.01
//@ field recovered
//@ param b 1.0 "rate of infection"
//@ param g 0.25 "rate of recovery"
//@ param D 0.5 "mobility of the infected"
//@ dt 0.05

/* Kermack, McKendrick 1927; Noble 1974 in space. */
infections = b * s * infected;
rate(s) = -infections;
rate(infected) = infections - g * infected + D * lap(infected);
rate(recovered) = g * infected;
/* SPDX-License-Identifier: MIT */

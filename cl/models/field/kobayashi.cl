//@ model kobayashi "t dp/dt = -dF/dp of an anisotropic crystal, dT/dt = lap T + K dp/dt"
//@ about "A crystal with arms that grows into an undercooled melt; p is 1 in the crystal, 0 in the melt."
//@ field p
//@ field T
//@ param e 1.0 "mean width of the interface"
//@ param d 0.04 "strength of the anisotropy"
//@ param j 6.0 "number of arms"
//@ param a 0.9 "driving force"
//@ param g 10.0 "sharpness of the driving force"
//@ param K 1.6 "latent heat"
//@ param t 0.3 "relaxation time"
//@ dt 0.02

/* Kobayashi 1993, Physica D 63, 410, equations 3 to 6; the direction 0 is that of an arm. */
start(p) = (x - length_x / 2)^2 + (y - length_y / 2)^2 < 20 ? 1 : 0;
angle = atan2(d_y(p), d_x(p));
width = e * (1 + d * cos(j * angle));
turn = -width * e * d * j * sin(j * angle);
m = a / pi * atan(g * (1 - T));
growth = (div(width^2 * grad(p)) + d_y(turn * d_x(p)) - d_x(turn * d_y(p)) + p * (1 - p) * (p - 0.5 + m)) / t;
rate(p) = growth;
rate(T) = lap(T) + K * growth;
/* SPDX-License-Identifier: MIT */

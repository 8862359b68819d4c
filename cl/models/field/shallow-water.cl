//@ model shallow-water "dh/dt = -div(h (u, v)), du/dt = -(u, v) . grad u - g dh/dx + f v + n lap u, and for v"
//@ about "Waves on a rotating layer of water; h is its depth."
//@ field h noise=0.1 mean=1
//@ field u
//@ field v
//@ param g 1.0 "gravity"
//@ param f 0.0 "rotation (Coriolis parameter)"
//@ param n 0.1 "viscosity"
//@ dt 0.05
//@ conserve h

/* Saint-Venant 1871; Vallis 2017, Atmospheric and Oceanic Fluid Dynamics, chapter 3. */
rate(h) = -(d_x(h * u) + d_y(h * v));
rate(u) = n * lap(u) - u * d_x(u) - v * d_y(u) - g * d_x(h) + f * v;
rate(v) = n * lap(v) - u * d_x(v) - v * d_y(v) - g * d_y(h) - f * u;
/* SPDX-License-Identifier: MIT */

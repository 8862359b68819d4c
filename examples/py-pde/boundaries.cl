//@ model boundaries "du/dt = lap u"
//@ about "Conditions in space and time: meshwork run ./boundaries.cl --spacing 0.3125 --size 32x32 --until 10"
//@ field u
//@ param h 0.3125 "the spacing: cells of py-pde are at (i + 1/2) h - 5"

start(u) = 1;
boundary(u, x_low) = slope(0.1);
boundary(u, x_high) = value(sin((y + h/2 - 5) / 2));
boundary(u, y_low) = slope(0);
boundary(u, y_high) = value(sin(time));
rate(u) = lap(u);
/* SPDX-License-Identifier: MIT */

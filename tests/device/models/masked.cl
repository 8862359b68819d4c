//@ model masked "du/dt = div((1 + u^2/8) grad u), dc/dt = lap(c^3 - c - lap(c)/2), with holes"
//@ field u noise=0.5 mean=0.25 outside=0.5
//@ field c noise=0.5
//@ dt 0.01

domain = (x - 6)^2 + (y - 5)^2 > 9 && abs(x + y - 20) > 1 && (x - 30)^2 + (z - 1)^2 > 20;
rate(u) = div((1 + 0.125 * u^2) * grad(u)) + 0.125 * d_x(c);
rate(c) = lap(c^3 - c - 0.5 * lap(c));
boundary(u, hole) = value(0.25 + 0.015625 * y);
/* SPDX-License-Identifier: MIT */

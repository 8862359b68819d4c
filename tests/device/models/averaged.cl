//@ model averaged "du/dt = lap u - k <u^3 - biharm u> + l v <u v>, dv/dt = l lap v + <<u v> v> t + u - v t"
//@ field u noise=0.5 mean=0.25
//@ field v noise=0.5 mean=0.125
//@ param k 0.5 "strength of the mean of a stage's neighbours"
//@ param l 0.25 "mobility of v"
//@ dt 0.01

/* A mean reads farther than the rates, and one reads another. */
w = mean(u * v);
rate(u) = lap(u) - k * mean(u^3 - biharm(u)) + l * v * w;
rate(v) = l * lap(v) + integral(w * v) / 1024 * time + u - v * time;
/* SPDX-License-Identifier: MIT */

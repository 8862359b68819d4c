/* Included by plain.cl, from its own folder. */
#define PLAIN_ONE 1
/* SPDX-License-Identifier: MIT */

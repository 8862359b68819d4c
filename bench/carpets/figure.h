/* Figure 12 of Hoffmann et al. 2010. */
#ifndef FIGURE_H
#define FIGURE_H

#include "bench/carpets/turn.h"

/* Measures walks of increasing length on all devices (multi-threaded ones also with one thread), prints the times, and
 * draws them to a file. */
void walk_figure(struct bench *bench, const struct walk_asked *asked, const char *plot);

#endif
/* SPDX-License-Identifier: MIT */

/* Figure 12 of Hoffmann et al. 2010. */
#ifndef FIGURE_H
#define FIGURE_H

#include "bench/carpets/turn.h"

/* Measures walks of growing length on all devices, on those of several threads also with one, prints their times and
 * draws them into a file. */
void walk_figure(struct bench *bench, const struct walk_asked *asked, const char *plot);

#endif
/* SPDX-License-Identifier: MIT */

/* Colours of components in the pictures of `meshwork label`. */
#ifndef COLOURS_H
#define COLOURS_H

#include <stdbool.h>
#include <stdint.h>

/* The assignment of colours to labels. */
struct colours {
    uint16_t cell[512];
    unsigned first, step[2];
    uint64_t largest;
};

/* Prepares the colours; `largest` is the label of the largest component, which becomes white. */
void colours_begin(struct colours *colours, uint64_t largest);
/* Computes the colour of a label: black for 0, distinct ones below 2^24. */
void colours_of(const struct colours *colours, uint64_t label, unsigned char *rgb);

#endif
/* SPDX-License-Identifier: MIT */

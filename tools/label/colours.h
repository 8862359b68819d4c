/* Colours of components. */
#ifndef COLOURS_H
#define COLOURS_H

#include <stdbool.h>
#include <stdint.h>

struct colours { uint16_t cell[512]; unsigned first, step[2]; uint64_t largest; };

/* The largest component's label, whose colour is white. */
void colours_begin(struct colours *colours, uint64_t largest);
/* Of label 0 black; of labels below 2^24 distinct ones. */
void colours_of(const struct colours *colours, uint64_t label, unsigned char *rgb);

#endif
/* SPDX-License-Identifier: MIT */

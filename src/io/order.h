/* SPDX-License-Identifier: MIT */
/* The order of the bytes of elements: the host's, and from one to the other. */
#ifndef MW_ORDER_H
#define MW_ORDER_H

#include <stddef.h>

#define MW_BIG_HOST (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* npy_elements.c: reverses each `part` bytes. */
void mw_reverse_parts(char *data, size_t bytes, size_t part);

#endif

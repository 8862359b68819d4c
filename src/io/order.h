/* SPDX-License-Identifier: MIT */
/* Byte order of elements: that of the host, and conversion. */
#ifndef MW_ORDER_H
#define MW_ORDER_H

#include <stddef.h>

#include <meshwork/io.h>

/* Whether the host is big-endian. */
#define MW_BIG_HOST (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

/* Returns how many numbers an element has: 2 if complex, otherwise 1. */
static inline size_t mw_type_parts(enum mw_type type) { return type == MW_TYPE_C64 || type == MW_TYPE_C128 ? 2 : 1; }

/* npy_elements.c: reverses the byte order of `bytes` bytes of numbers with `part` bytes each. */
void mw_reverse_parts(char *data, size_t bytes, size_t part);

#endif

/* Compression by zlib of data in memory.  Internal. */
#ifndef MW_DEFLATE_H
#define MW_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

#define MW_DEFLATE_RATIO 1032 /* maximum bytes from one byte of deflate: 258 bytes from 2 bits */

/* Formats of compressed data: deflate without a header as in ZIP archives; zlib or gzip, detected by their first
 * bytes. */
enum mw_deflate_form { MW_DEFLATE_RAW, MW_DEFLATE_WRAPPED };

/* A part of the data to be compressed. */
struct mw_piece {
    const void *bytes;
    size_t n;
};

/* Decompresses n bytes to exactly `size` bytes.  `path` is for messages.
 * Errors: MW_EDATA (damaged data, or another size), MW_ENOTSUP (built without zlib), MW_ENOMEM. */
int mw_inflate(const char *path, enum mw_deflate_form form, const void *packed, size_t n, void *to, size_t size);
/* Compresses pieces to one stream of MW_DEFLATE_RAW, by the fastest level.  The caller frees *packed.
 * Errors: MW_ENOTSUP (built without zlib), MW_ENOMEM. */
int mw_deflate(const struct mw_piece *pieces, size_t count, void **packed, size_t *n);
/* Continues the CRC-32 of ZIP and gzip over n bytes; it starts as 0. */
uint32_t mw_crc32(uint32_t crc, const void *bytes, size_t n);

#endif
/* SPDX-License-Identifier: MIT */

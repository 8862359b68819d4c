/* Compression by zlib (RFC 1950 to 1952), in pieces, because zlib counts in 32 bits. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "io/formats/deflate.h"

#include "base/base.h"

#ifdef HAVE_ZLIB
#include <zlib.h>

#define PIECE_MOST ((size_t)1 << 30)

static uInt piece_of(size_t left) { return (uInt)(left < PIECE_MOST ? left : PIECE_MOST); }

int mw_inflate(const char *path, enum mw_deflate_form form, const void *packed, size_t n, void *to, size_t size)
{
    enum { EITHER = 32 }; /* zlib's window bits: by the header, zlib or gzip */
    z_stream z = { 0 };
    size_t in = 0, out = 0;
    int told = Z_OK;
    if (inflateInit2(&z, form == MW_DEFLATE_RAW ? -MAX_WBITS : MAX_WBITS + EITHER) != Z_OK)
        return mw_fail(MW_ENOMEM, "out of memory: cannot decompress %s", path);
    while (told == Z_OK) {
        const uInt in_now = piece_of(n - in), out_now = piece_of(size - out);
        z.next_in = (Bytef *)(uintptr_t)packed + in;
        z.avail_in = in_now;
        z.next_out = (Bytef *)to + out;
        z.avail_out = out_now;
        told = inflate(&z, Z_NO_FLUSH);
        in += in_now - z.avail_in;
        out += out_now - z.avail_out;
    }
    inflateEnd(&z);
    if (told == Z_MEM_ERROR)
        return mw_fail(MW_ENOMEM, "out of memory: cannot decompress %s", path);
    return told == Z_STREAM_END && out == size
               ? 0
               : mw_fail(MW_EDATA, "%s has damaged compressed data: expected %zu bytes after decompression", path,
                         size);
}

int mw_deflate(const struct mw_piece *pieces, size_t count, void **packed, size_t *n)
{
    enum { MEMORY_LEVEL = 8 }; /* zlib's default */
    z_stream z = { 0 };
    unsigned char *to = NULL;
    size_t all = 0, most, out = 0;
    int rc;
    for (size_t i = 0; i < count; i++)
        all += pieces[i].n;
    if (deflateInit2(&z, Z_BEST_SPEED, Z_DEFLATED, -MAX_WBITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
        return mw_fail(MW_ENOMEM, "out of memory: cannot compress %zu bytes", all);
    most = deflateBound(&z, all);
    TRY(mw_new(most, 1, &to));
    for (size_t i = 0; i < count; i++) {
        size_t in = 0;
        int told;
        do {
            const uInt in_now = piece_of(pieces[i].n - in), out_now = piece_of(most - out);
            const bool last = i + 1 == count && in + in_now == pieces[i].n;
            z.next_in = (Bytef *)(uintptr_t)pieces[i].bytes + in;
            z.avail_in = in_now;
            z.next_out = to + out;
            z.avail_out = out_now;
            told = deflate(&z, last ? Z_FINISH : Z_NO_FLUSH);
            in += in_now - z.avail_in;
            out += out_now - z.avail_out;
        } while (in < pieces[i].n || (i + 1 == count && told == Z_OK));
    }
    *packed = to;
    *n = out;
    to = NULL;
out:
    deflateEnd(&z);
    free(to);
    return rc;
}

uint32_t mw_crc32(uint32_t crc, const void *bytes, size_t n)
{
    for (size_t at = 0; at < n; at += PIECE_MOST)
        crc = (uint32_t)crc32(crc, (const Bytef *)bytes + at, piece_of(n - at));
    return crc;
}

#else

int mw_inflate(const char *path, enum mw_deflate_form form, const void *packed, size_t n, void *to, size_t size)
{
    return mw_fail(MW_ENOTSUP, "%s is compressed, but meshwork was built without zlib (decompress it first)", path);
}

int mw_deflate(const struct mw_piece *pieces, size_t count, void **packed, size_t *n)
{
    return mw_fail(MW_ENOTSUP, "meshwork was built without zlib");
}

/* IEEE 802.3, bit by bit: only a build without zlib uses it. */
uint32_t mw_crc32(uint32_t crc, const void *bytes, size_t n)
{
    crc = ~crc;
    for (size_t i = 0; i < n; i++) {
        crc ^= ((const unsigned char *)bytes)[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

#endif
/* SPDX-License-Identifier: MIT */

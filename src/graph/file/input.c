/* A file's bytes: from a regular file, a pipe, or gzip data (RFC 1952) of one or several members. */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "graph/file/input.h"

#include "dev/host/host.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

const struct mw_file_limits mw_file_limits_usual = { .piece_bytes = (size_t)1 << 19, .block_positions = 65536 };

#define BUFFER ((size_t)65536)
#define GZIP_FIRST 0x1f
#define GZIP_SECOND 0x8b

static int cannot_read(const struct mw_input *input)
{
    return mw_fail(MW_EIO, "cannot read %s: %s", input->name, strerror(errno));
}

static int raw_read(struct mw_input *input, void *to, size_t wanted, size_t *got)
{
    return mw_read_fully(input->descriptor, to, wanted, got) ? 0 : cannot_read(input);
}

#ifdef HAVE_ZLIB
struct mw_gunzip {
    z_stream stream;
    bool raw_end, in_member;   /* all compressed bytes are read; within a member */
    uint64_t packed, unpacked; /* bytes so far */
    unsigned char in[4 * BUFFER];
};

static int gunzip_fill(struct mw_input *input)
{
    struct mw_gunzip *g = input->gunzip;
    size_t got;
    if (g->stream.avail_in > 0 || g->raw_end)
        return 0;
    TRY_RETURN(raw_read(input, g->in, sizeof g->in, &got));
    g->raw_end = got < sizeof g->in;
    g->stream.next_in = g->in;
    g->stream.avail_in = (uInt)got;
    g->packed += got;
    return 0;
}

/* Skips to the next member: another one may follow, or zeros that fill up a tape block. */
static int gunzip_between(struct mw_input *input, bool *ended)
{
    struct mw_gunzip *g = input->gunzip;
    for (;;) {
        TRY_RETURN(gunzip_fill(input));
        if (g->stream.avail_in == 0) {
            *ended = true;
            return 0;
        }
        if (*g->stream.next_in != 0)
            break;
        g->stream.next_in++;
        g->stream.avail_in--;
    }
    if (*g->stream.next_in != GZIP_FIRST)
        TRY_RETURN(mw_fail(MW_EDATA, "%s has uncompressed data after its compressed data", input->name));
    inflateReset(&g->stream);
    g->in_member = true;
    return 0;
}

static int gunzip_read(struct mw_input *input, void *to, size_t wanted, size_t *got)
{
    struct mw_gunzip *g = input->gunzip;
    size_t have = 0;
    bool ended = false;
    while (have < wanted) {
        const size_t left = wanted - have < UINT32_MAX / 2 ? wanted - have : UINT32_MAX / 2;
        if (!g->in_member) {
            TRY_RETURN(gunzip_between(input, &ended));
            if (ended)
                break;
        }
        TRY_RETURN(gunzip_fill(input));
        if (g->stream.avail_in == 0)
            TRY_RETURN(
                mw_fail(MW_EDATA, "%s ends within its compressed data: it is truncated, fetch it again", input->name));
        g->stream.next_out = (Bytef *)to + have;
        g->stream.avail_out = (uInt)left;
        const int said = inflate(&g->stream, Z_NO_FLUSH);
        have += left - g->stream.avail_out;
        g->unpacked += left - g->stream.avail_out;
        TRY_RETURN(mw_host_takes_unpacked(input->name, g->packed, g->unpacked, input->limits->unpacked_bytes));
        if (said == Z_STREAM_END)
            g->in_member = false;
        else if (said == Z_MEM_ERROR)
            TRY_RETURN(mw_fail(MW_ENOMEM, "out of memory: cannot decompress %s", input->name));
        else if (said != Z_OK && said != Z_BUF_ERROR)
            TRY_RETURN(mw_fail(MW_EDATA, "%s is damaged (%s): fetch it again", input->name,
                               g->stream.msg ? g->stream.msg : "gzip"));
    }
    *got = have;
    return 0;
}

/* Starts decompression; the buffer has the first compressed bytes. */
static int gunzip_start(struct mw_input *input)
{
    struct mw_gunzip *g = NULL;
    int rc;
    TRY(mw_new(1, sizeof *g, &g));
    if (inflateInit2(&g->stream, 16 + MAX_WBITS) != Z_OK)
        TRY(mw_fail(MW_ENOMEM, "out of memory: cannot decompress %s", input->name));
    memcpy(g->in, input->buffer, input->have);
    g->stream.next_in = g->in;
    g->stream.avail_in = (uInt)input->have;
    g->packed = input->have;
    g->raw_end = input->at_end;
    g->in_member = true;
    input->have = 0;
    input->at_end = false;
    input->is_file = false;
    input->gunzip = MW_PASS(g);
out:
    free(g);
    return rc;
}

static void gunzip_stop(struct mw_gunzip *g)
{
    if (g)
        inflateEnd(&g->stream);
    free(g);
}
#else
static int gunzip_read(struct mw_input *input, void *to, size_t wanted, size_t *got)
{
    return mw_fail(MW_ENOTSUP, "%s is compressed, but this meshwork was built without zlib: decompress it with gunzip",
                   input->name);
}

static int gunzip_start(struct mw_input *input)
{
    return mw_fail(MW_ENOTSUP, "%s is compressed, but this meshwork was built without zlib: decompress it with gunzip",
                   input->name);
}

static void gunzip_stop(struct mw_gunzip *g) { (void)g; }
#endif

/* ---- the buffer ---- */

/* Reads until the buffer has `wanted` bytes, or all remaining bytes. */
static int file_input_fill(struct mw_input *input, size_t wanted)
{
    size_t got;
    if (input->at > 0) {
        memmove(input->buffer, input->buffer + input->at, input->have - input->at);
        input->have -= input->at;
        input->at = 0;
    }
    if (wanted + MW_TEXT_PADDING > input->capacity) {
        char *grown = realloc(input->buffer, wanted + MW_TEXT_PADDING);
        if (!grown)
            return mw_fail(MW_ENOMEM, "out of memory: cannot read %s", input->name);
        input->buffer = grown;
        input->capacity = wanted + MW_TEXT_PADDING;
    }
    if (input->have < wanted && !input->at_end) {
        const size_t left = wanted - input->have;
        TRY_RETURN(input->gunzip ? gunzip_read(input, input->buffer + input->have, left, &got)
                                 : raw_read(input, input->buffer + input->have, left, &got));
        input->have += got;
        input->at_end = got < left;
    }
    memset(input->buffer + input->have, 0, MW_TEXT_PADDING);
    return 0;
}

int mw_input_open(const char *path, const struct mw_file_limits *limits, struct mw_input *input)
{
    const bool standard = strcmp(path, "-") == 0;
    struct mw_input new = { .limits = limits, .descriptor = -1 };
    struct stat st;
    int rc;
    TRY(mw_strdup(standard ? "standard input" : path, &new.name));
    new.descriptor = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (new.descriptor < 0 || fstat(new.descriptor, &st) != 0)
        TRY(cannot_read(&new));
    if (S_ISDIR(st.st_mode))
        TRY(mw_fail(MW_EIO, "cannot read %s: it is a folder", new.name));
    const off_t start = S_ISREG(st.st_mode) ? lseek(new.descriptor, 0, SEEK_CUR) : -1;
    if (start >= 0 && st.st_size > start) { /* files of length 0 may be generated by the kernel */
        new.is_file = true;
        new.start = (uint64_t)start;
        new.end = (uint64_t)st.st_size;
    }
    TRY(file_input_fill(&new, BUFFER));
    if (new.have >= 2 && (unsigned char)new.buffer[0] == GZIP_FIRST && (unsigned char)new.buffer[1] == GZIP_SECOND) {
        TRY(gunzip_start(&new));
        TRY(file_input_fill(&new, BUFFER));
    }
    if (new.have >= 3 && memcmp(new.buffer, "\xef\xbb\xbf", 3) == 0)
        new.at = new.taken = 3; /* byte order mark of UTF-8 */
    *input = new;
    return 0;
out:
    mw_input_close(&new);
    return rc;
}

void mw_input_close(struct mw_input *input)
{
    if (input->descriptor >= 0)
        close(input->descriptor);
    gunzip_stop(input->gunzip);
    free(input->buffer);
    free(input->name);
    *input = (struct mw_input){ .descriptor = -1 };
}

int mw_input_read(struct mw_input *input, void *to, size_t wanted, size_t *got)
{
    const size_t here = input->have - input->at < wanted ? input->have - input->at : wanted;
    size_t more = 0;
    memcpy(to, input->buffer + input->at, here);
    input->at += here;
    if (here < wanted && !input->at_end) {
        TRY_RETURN(input->gunzip ? gunzip_read(input, (char *)to + here, wanted - here, &more)
                                 : raw_read(input, (char *)to + here, wanted - here, &more));
        input->at_end = more < wanted - here;
    }
    input->taken += here + more;
    *got = here + more;
    return 0;
}

int mw_input_line(struct mw_input *input, const char **line, const char **end)
{
    size_t length = 0;
    char *newline;
    while (!(newline = memchr(input->buffer + input->at + length, '\n', input->have - input->at - length))) {
        length = input->have - input->at;
        if (input->at_end)
            break;
        if (length > MW_LINE_MAX)
            return mw_input_malformed(input, input->lines + 1, "the line has more than %zu bytes", MW_LINE_MAX);
        TRY_RETURN(file_input_fill(input, length + BUFFER));
    }
    if (!newline && length == 0) {
        *line = NULL;
        return 0;
    }
    if (!newline) {
        newline = input->buffer + input->have;
        *newline = '\n';
    }
    *line = input->buffer + input->at;
    input->taken += (size_t)(newline - *line) + (newline < input->buffer + input->have);
    input->at = (size_t)(newline - input->buffer) + (newline < input->buffer + input->have);
    input->lines++;
    *end = newline > *line && newline[-1] == '\r' ? newline - 1 : newline;
    return 0;
}

int mw_input_malformed(const struct mw_input *input, size_t line, const char *format, ...)
{
    char reason[400];
    va_list args;
    va_start(args, format);
    vsnprintf(reason, sizeof reason, format, args);
    va_end(args);
    return mw_fail(MW_EDATA, "%s:%zu: %s", input->name, line, reason);
}
/* SPDX-License-Identifier: MIT */

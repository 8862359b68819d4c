/* A file's bytes, as they are or out of gzip.  Internal. */
#ifndef MW_GRAPH_FILE_INPUT_H
#define MW_GRAPH_FILE_INPUT_H

#include "base/base.h"

/* Text is read with this much room behind it, and its last line has a newline: nobody need look for the end within a
 * line. */
#define MW_TEXT_PADDING 16
/* Of a line that is read by itself, and of a vertex's name. */
#define MW_LINE_MAX ((size_t)1 << 20)
#define MW_NAME_MAX ((size_t)65535)

/* How text is cut for threads.  Tests change these. */
struct mw_file_limits {
    size_t piece_bytes;          /* of text in a piece that is read */
    uint64_t block_positions;    /* arcs and vertices of a block that is written */
    uint64_t unpacked_bytes;     /* of compressed files, unless they are as long as their text; 0: by memory */
};
extern const struct mw_file_limits mw_file_limits_usual;

struct mw_input {
    const struct mw_file_limits *limits;
    char *name;                  /* for messages: the path, "standard input" */
    int descriptor;
    bool is_file;                /* its bytes can be read at any place, by several threads: `start` to `end` */
    uint64_t start, end;
    struct mw_gunzip *gunzip;    /* NULL: bytes are taken as they are */
    bool at_end;                 /* of what comes into the buffer */
    char *buffer;                /* what is read and not yet taken: from `at` to below `have` */
    size_t capacity, at, have;
    uint64_t taken;              /* bytes before `at` */
    size_t lines;                /* taken by mw_input_line */
};

/* path "-": standard input.  The first bytes are in the buffer afterwards. */
int mw_input_open(const char *path, const struct mw_file_limits *limits, struct mw_input *input);
void mw_input_close(struct mw_input *input);
/* Bytes, fewer than wanted only at the end. */
int mw_input_read(struct mw_input *input, void *to, size_t wanted, size_t *got);
/* The next line, without its end; *line is NULL after the last one, else valid until the next call.  A newline stands
 * at *end, or the carriage return of one. */
int mw_input_line(struct mw_input *input, const char **line, const char **end);
/* Fails with the sentence of a malformed file: "NAME:LINE: what". */
int mw_input_malformed(const struct mw_input *input, size_t line, const char *format, ...) MW_PRINTF(3, 4);

#endif
/* SPDX-License-Identifier: MIT */

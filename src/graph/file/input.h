/* A file's bytes, plain or decompressed. Internal. */
#ifndef MW_GRAPH_FILE_INPUT_H
#define MW_GRAPH_FILE_INPUT_H

#include "base/base.h"

/* Text is padded by this many bytes, and its last line ends with a newline. So lines can be parsed without tests for
 * the end of the buffer. */
#define MW_TEXT_PADDING 16
/* Limits of a line that is read on its own, and of a vertex's name. */
#define MW_LINE_MAX ((size_t)1 << 20)
#define MW_NAME_MAX ((size_t)65535)

/* How text is divided among threads. Tests change these. */
struct mw_file_limits {
    size_t piece_bytes;       /* bytes of text per piece, for reading */
    uint64_t block_positions; /* arcs and vertices per block, for writing */
    uint64_t unpacked_bytes;  /* limit of decompressed bytes, unless the file is not smaller; 0: by memory */
};
extern const struct mw_file_limits mw_file_limits_usual;

struct mw_input {
    const struct mw_file_limits *limits;
    char *name; /* for messages: the path, or "standard input" */
    int descriptor;
    bool is_file; /* regular file: `start` to `end` can be read in any order, by several threads */
    uint64_t start, end;
    struct mw_gunzip *gunzip; /* NULL: not compressed */
    bool at_end;              /* end of input reached by the buffer */
    char *buffer;             /* bytes not yet taken: from `at` to below `have` */
    size_t capacity, at, have;
    uint64_t taken; /* bytes before `at` */
    size_t lines;   /* lines taken by mw_input_line */
};

/* Opens a file ("-": standard input), and reads the first bytes into the buffer. */
int mw_input_open(const char *path, const struct mw_file_limits *limits, struct mw_input *input);
void mw_input_close(struct mw_input *input);
/* Reads bytes; fewer than wanted only at the end. */
int mw_input_read(struct mw_input *input, void *to, size_t wanted, size_t *got);
/* Returns the next line, without its end; *line is NULL after the last one, and otherwise valid until the next call.
 * *end points to the newline, or to the carriage return before it. */
int mw_input_line(struct mw_input *input, const char **line, const char **end);
/* Fails with the message of a malformed file: "NAME:LINE: reason". */
int mw_input_malformed(const struct mw_input *input, size_t line, const char *format, ...) MW_PRINTF(3, 4);

#endif
/* SPDX-License-Identifier: MIT */

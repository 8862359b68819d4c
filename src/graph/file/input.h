/* A file's bytes, plain or decompressed. Internal. */
#ifndef MW_GRAPH_FILE_INPUT_H
#define MW_GRAPH_FILE_INPUT_H

#include "base/base.h"

/* Number of bytes that follow text in memory. The last line ends with a newline. So lines can be parsed without tests
 * for the end of the buffer. */
#define MW_TEXT_PADDING 16
/* Most bytes of a line that mw_input_line reads, and of a row of a table. */
#define MW_LINE_MAX ((size_t)1 << 20)
/* Most bytes of a vertex's name, without its NUL. */
#define MW_NAME_MAX ((size_t)65535)

/* Limits by which text is divided among threads. Tests set small ones. */
struct mw_file_limits {
    size_t piece_bytes;       /* bytes of text per piece, for reading */
    uint64_t block_positions; /* arcs and vertices per block, for writing */
    uint64_t unpacked_bytes;  /* most decompressed bytes, if these exceed the file's; 0: by this machine's memory */
};
/* The limits of reading and writing outside tests. */
extern const struct mw_file_limits mw_file_limits_usual;

/* An opened file, and its bytes that are read but not yet taken by the caller. */
struct mw_input {
    const struct mw_file_limits *limits;
    char *name; /* for messages: the path, or "standard input" */
    int descriptor;
    bool is_file;             /* regular file that is not compressed: can be read in any order, by several threads */
    uint64_t start, end;      /* regular files: positions of the first byte and of the end */
    struct mw_gunzip *gunzip; /* state of decompression; NULL: not compressed */
    bool at_end;              /* all bytes were read: the rest of the input is in the buffer */
    char *buffer;             /* has the bytes not yet taken, from index `at` to below `have` */
    size_t capacity, at, have;
    uint64_t taken; /* number of bytes that were taken, decompressed */
    size_t lines;   /* number of lines that mw_input_line returned */
};

/* Opens a file ("-": standard input), reads the first bytes into the buffer, and skips a UTF-8 byte order mark. The
 * caller closes it. */
int mw_input_open(const char *path, const struct mw_file_limits *limits, struct mw_input *input);
/* Closes the file, and frees the buffer. */
void mw_input_close(struct mw_input *input);
/* Takes `wanted` bytes, and stores their number in *got; it is smaller only at the end of the input. */
int mw_input_read(struct mw_input *input, void *to, size_t wanted, size_t *got);
/* Takes the next line: stores its begin in *line, and in *end its end, where a newline or carriage return follows. Both
 * are valid until the next call. *line is NULL after the last line. MW_EDATA: longer than MW_LINE_MAX. */
int mw_input_line(struct mw_input *input, const char **line, const char **end);
/* Reports a malformed file by a message "NAME:LINE: reason"; returns MW_EDATA. `line` is counted from 1. */
int mw_input_malformed(const struct mw_input *input, size_t line, const char *format, ...) MW_PRINTF(3, 4);

#endif
/* SPDX-License-Identifier: MIT */

/* Files whose elements follow a header of text lines, or are in a file next to it: NRRD and MetaImage.  Internal. */
#ifndef MW_HEADED_H
#define MW_HEADED_H

#include <meshwork/io.h>

#include "base/base.h"

/* The text of a header, which is read line by line. */
struct mw_head {
    const char *path;
    char text[1 << 14];
    size_t length, at;
};
/* Reads the beginning of a file. */
int mw_head_read(const char *path, struct mw_head *head);
/* Takes a line without its end; NULL: no complete line is left. */
char *mw_head_line(struct mw_head *head);
/* Divides a line at a separator into a key and a value, without the blanks around them.  Returns false without a
 * separator. */
bool mw_head_divide(char *line, char separator, char **key, char **value);
/* Reads `count` numbers of at least 1, separated by blanks.  Returns false if there are more, fewer or others. */
bool mw_head_lengths(const char *text, unsigned count, size_t *length);

/* Place, type and lengths of the elements. */
struct mw_headed {
    const char *path, *format; /* path of the header; name for messages, as in "NRRD" */
    const char *data; /* name of the file with the elements, relative to the header's folder; NULL: the header's */
    size_t offset;    /* position of the elements in that file */
    bool last;        /* the elements are the file's last bytes, whatever `offset` is */
    bool big_endian, packed; /* packed: compressed by zlib or gzip */
    bool has_type;
    enum mw_type type;
    unsigned dims;
    size_t length[MW_DIMS_MAX];
};
/* Fails with MW_EDATA and "PATH is not a valid FORMAT file: WHAT". */
int mw_headed_malformed(const struct mw_headed *h, const char *what);
/* Reads the elements.  Checks sizes before it allocates memory. */
int mw_headed_read(const struct mw_headed *h, struct mw_array *array);

/* A type of elements and its name in a format. */
struct mw_type_word {
    const char *word;
    enum mw_type type;
};
/* Finds a type by its name; NULL: none. */
const struct mw_type_word *mw_type_by_word(const struct mw_type_word *words, size_t count, const char *word);
/* A format for writing: its name, the names of types, and a function that appends an array's header.  `spacing` may
 * be NULL; `word` is the name of the type; `data` the name of the file of the elements, NULL if they follow. */
struct mw_headed_format {
    const char *name;
    const struct mw_type_word *words;
    size_t count;
    void (*add)(const struct mw_array *array, const double *spacing, const char *word, const char *data,
                struct mw_text *t);
};
/* Writes the header and the elements after it; with the suffix ".mhd" or ".nhdr", the elements into a ".raw" file. */
int mw_headed_write(const struct mw_headed_format *format, const char *path, const struct mw_array *array,
                    const double *spacing);

#endif
/* SPDX-License-Identifier: MIT */

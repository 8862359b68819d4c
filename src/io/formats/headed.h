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
/* Finds a type by its name, or the first name of a type; NULL: none. */
const struct mw_type_word *mw_type_by_word(const struct mw_type_word *words, size_t count, const char *word);
const struct mw_type_word *mw_word_by_type(const struct mw_type_word *words, size_t count, enum mw_type type);
/* Checks that a format can hold an array.  `word` NULL: not its elements. */
int mw_headed_check(const char *path, const char *format, const struct mw_array *array,
                    const struct mw_type_word *word);
/* Returns the part of a path before the suffix ".mhd" or ".nhdr", with ".raw", and the name alone in it; NULL: the
 * path has another suffix.  The caller frees the path. */
int mw_headed_data(const char *path, char **data, const char **name);
/* Writes a header and the elements after it, or into the file `data` if that is not NULL. */
int mw_headed_write(const char *path, const struct mw_text *head, const char *data, const struct mw_array *array);

#endif
/* SPDX-License-Identifier: MIT */

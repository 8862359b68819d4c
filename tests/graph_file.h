/* Common helpers of the tests of networks' files: files in the scratch folder, plain and compressed, and standard
 * input. */
#ifndef MW_TESTS_GRAPH_FILE_H
#define MW_TESTS_GRAPH_FILE_H

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <meshwork/graph_file.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "check.h"
#include "scratch.h"
#include "graph/file/formats.h"

#define BYTES(text) (text), sizeof(text) - 1

static char path[600]; /* the current test's file */

static inline void set_path(const char *name) { snprintf(path, sizeof path, "%s/%s", folder, name); }

static inline void store(const char *name, const void *bytes, size_t n)
{
    FILE *file;
    set_path(name);
    unlink(path); /* some file systems wait for the disk where a file is replaced */
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

#ifdef HAVE_ZLIB
static const bool has_zlib = true;

/* In one or several members. */
static inline void store_compressed(const char *name, const char *bytes, size_t n, size_t member)
{
    set_path(name);
    unlink(path);
    for (size_t at = 0; at < n || at == 0; at += member) {
        gzFile file = gzopen(path, "ab");
        const unsigned count = (unsigned)(n - at < member ? n - at : member);
        assert_non_null(file);
        assert_int_equal(gzwrite(file, bytes + at, count), count);
        assert_int_equal(gzclose(file), Z_OK);
    }
}
#else
static const bool has_zlib = false;

static inline void store_compressed(const char *name, const char *bytes, size_t n, size_t member)
{
    store(name, bytes, n);
}
#endif

#ifdef HAVE_EXPAT
static const bool has_expat = true;
#else
static const bool has_expat = false;
#endif

static inline size_t load(char *bytes, size_t room_bytes)
{
    FILE *file = fopen(path, "rb");
    size_t n;
    assert_non_null(file);
    n = fread(bytes, 1, room_bytes, file);
    assert_int_equal(fclose(file), 0);
    return n;
}

/* How a test names its vertices. */
enum naming { FROM_0, FROM_1, SPARSE, WIDE, WORDS, MIXED, NAMINGS };

/* Reads the file as standard input, from the file itself or through a pipe. */
static inline int read_standard_input(const char *bytes, size_t n, bool through_pipe,
                                      const struct mw_graph_file_options *options, struct mw_edges *edges)
{
    const int kept = dup(STDIN_FILENO);
    int ends[2], rc;
    if (through_pipe) {
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], bytes, n), n);
        close(ends[1]);
    } else {
        ends[0] = open(path, O_RDONLY);
    }
    dup2(ends[0], STDIN_FILENO);
    close(ends[0]);
    rc = mw_edges_read("-", options, edges);
    dup2(kept, STDIN_FILENO);
    close(kept);
    return rc;
}

#endif
/* SPDX-License-Identifier: MIT */

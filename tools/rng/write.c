/* meshwork rng: output of numbers. */
#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include <meshwork/file.h>
#include <meshwork/io.h>

#include "tools/rng/rng.h"

/* The output; `closed`: the reader of the pipe has ended, the normal end of an endless stream. */
struct sink {
    struct mw_file *file;
    bool closed;
};

static int put(struct sink *sink, const void *bytes, size_t n)
{
    const char *next = bytes;
    if (sink->file)
        return mw_file_write(sink->file, bytes, n);
    while (n > 0 && !sink->closed) {
        const ssize_t written = write(STDOUT_FILENO, next, n);
        if (written < 0 && errno == EPIPE)
            sink->closed = true;
        else if (written < 0 && errno != EINTR)
            return mw_fail(MW_EIO, "cannot write to standard output: %s", strerror(errno));
        else if (written > 0) {
            next += written;
            n -= (size_t)written;
        }
    }
    return 0;
}

static void number_as_text(const struct rng *r, const void *number, struct mw_text *text)
{
    uint32_t word;
    double real;
    float single;
    switch (r->draw.kind) {
    case MW_RANDOM_FLOATS:
    case MW_RANDOM_NORMAL_FLOATS:
        memcpy(&single, number, sizeof(single));
        mw_text_add(text, "%.9g\n", (double)single);
        break;
    case MW_RANDOM_DOUBLES:
    case MW_RANDOM_NORMAL_DOUBLES:
        memcpy(&real, number, sizeof(real));
        mw_text_add(text, "%.17g\n", real);
        break;
    default: memcpy(&word, number, sizeof(word)); mw_text_add(text, "%lu\n", (unsigned long)word);
    }
}

static int put_numbers(const struct rng *r, const char *numbers, size_t count, struct mw_text *text, struct sink *sink)
{
    if (r->set->format != FORMAT_TEXT)
        return put(sink, numbers, count * r->bytes);
    text->length = 0;
    for (size_t i = 0; i < count; i++)
        number_as_text(r, numbers + i * r->bytes, text);
    TRY_RETURN(mw_text_ok(text));
    return put(sink, text->data, text->length);
}

static int write_chunks(struct rng *r, char *numbers, struct sink *sink)
{
    const struct rng_settings *set = r->set;
    struct mw_text text = { 0 };
    int rc = 0;
    while (!sink->closed && (r->endless || r->made < set->samples)) {
        const uint64_t left = r->endless ? r->chunk : set->samples - r->made;
        const size_t some = left < r->chunk ? (size_t)left : r->chunk;
        struct phase phase = phase_begin();
        TRY(mw_random_fill_host(r->random, &r->draw, set->first + r->made, some, numbers));
        r->passes.seconds[0] += phase_end(&phase, &r->build);
        phase = phase_begin();
        TRY(put_numbers(r, numbers, some, &text, sink));
        r->write += phase_end(&phase, &r->build);
        r->made += some;
    }
out:
    mw_text_free(&text);
    return rc;
}

int rng_write(struct rng *r)
{
    struct sink sink = { 0 };
    char *numbers = NULL;
    int rc;
    signal(SIGPIPE, SIG_IGN);
    TRY(mw_new(r->chunk, r->bytes, &numbers));
    if (strcmp(r->output, "-") != 0)
        TRY(mw_file_create(r->output, true, &sink.file));
    TRY(write_chunks(r, numbers, &sink));
    if (sink.closed && !r->endless)
        TRY(mw_fail(MW_EIO,
                    "standard output was closed before all %llu numbers were written: use --samples 0 for an "
                    "endless stream",
                    (unsigned long long)r->set->samples));
    if (sink.file) {
        rc = mw_file_commit(sink.file);
        sink.file = NULL;
    }
out:
    mw_file_abandon(sink.file);
    free(numbers);
    return rc;
}
/* SPDX-License-Identifier: MIT */

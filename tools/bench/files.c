/* Temporary files of suites: inputs of tasks, and pictures for pages. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "tools/bench/bench.h"

enum { PICTURE_MOST = 1 << 17 }; /* bytes */

int bench_file(const char *suffix, char **path)
{
    const char *folder = getenv("TMPDIR");
    struct mw_text text = { 0 };
    int fd, rc = 0;
    folder = folder && *folder ? folder : "/tmp";
    mw_text_add(&text, "%s/meshwork-XXXXXX%s", folder, suffix);
    TRY(mw_text_ok(&text));
    fd = mkstemps(text.data, (int)strlen(suffix));
    if (fd < 0)
        TRY(mw_fail(MW_EIO, "%s: cannot make a file there for prepared inputs: %s", folder, strerror(errno)));
    close(fd);
    return text_take(&text, path);
out:
    mw_text_free(&text);
    return rc;
}

static void add_base64(const unsigned char *bytes, size_t n, struct mw_text *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const unsigned next = i + 1 < n ? bytes[i + 1] : 0, last = i + 2 < n ? bytes[i + 2] : 0;
        const unsigned three = (unsigned)bytes[i] << 16 | next << 8 | last;
        char four[4] = { digits[three >> 18], digits[three >> 12 & 63], digits[three >> 6 & 63], digits[three & 63] };
        if (i + 2 >= n)
            four[3] = '=';
        if (i + 1 >= n)
            four[2] = '=';
        mw_text_append(to, four, sizeof(four));
    }
}

int bench_base64(const char *path, char **base64)
{
    FILE *file = fopen(path, "re");
    unsigned char *bytes = NULL;
    struct mw_text text = { 0 };
    size_t n = 0;
    int rc;

    *base64 = NULL;
    TRY(mw_new(PICTURE_MOST + 1, 1, &bytes));
    if (file)
        n = fread(bytes, 1, PICTURE_MOST + 1, file);
    if (n == 0 || n > PICTURE_MOST)
        goto out;
    add_base64(bytes, n, &text);
    rc = text_take(&text, base64);
out:
    if (file)
        fclose(file);
    free(bytes);
    return rc;
}
/* SPDX-License-Identifier: MIT */

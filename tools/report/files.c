/* Names of files that are to be written. */
#include "tools/report/files.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/cli/text.h"
#include "tools/report/output.h"

#define WRITTEN_MAX 8            /* files that a command can be asked for, and a few more */

/* Of two outputs of one name, the later would replace the earlier without a word.  Files that are no regular ones, as
 * /dev/null, take any number.  `folder` is what tells the same one by other paths. */
static int name_once(const char *path, const struct stat *folder, const char *name)
{
    static struct { dev_t device; ino_t folder; char name[NAME_MAX + 1]; } written[WRITTEN_MAX];
    static size_t count;

    for (size_t i = 0; i < count; i++)
        if (written[i].device == folder->st_dev && written[i].folder == folder->st_ino &&
            !strcmp(written[i].name, name))
            return mw_fail(MW_EINVAL, "%s is named for two outputs, and one would replace the other: give another name",
                           path);
    if (count < WRITTEN_MAX && strlen(name) <= NAME_MAX) {
        written[count].device = folder->st_dev;
        written[count].folder = folder->st_ino;
        strcpy(written[count++].name, name);
    }
    return 0;
}

/* A file that cannot be written should be known before the hours of computing, not after. */
int file_writable(const char *path)
{
    const char *slash = strrchr(path, '/'), *folder = ".";
    struct stat status;
    char *above = NULL;
    int rc = 0;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return mw_fail(MW_EIO, "cannot write %s: it is a folder, give the name of a file in it", path);
    if (stat(path, &status) == 0 && access(path, W_OK))
        return mw_fail(MW_EIO, "cannot write %s: %s", path, strerror(errno));
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return 0;
    if (slash) {
        TRY(text_copy(path, &above));
        above[slash == path ? 1 : slash - path] = 0;
        folder = above;
    }
    if (access(folder, W_OK | X_OK) && errno == ENOENT)
        rc = mw_fail(MW_EIO, "cannot write %s: there is no folder %s, make it first", path, folder);
    else if (access(folder, W_OK | X_OK))
        rc = mw_fail(MW_EIO, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
    else if (stat(folder, &status) == 0)
        rc = name_once(path, &status, slash ? slash + 1 : path);
out:
    free(above);
    return rc;
}

/* The user's text is never a format: one %d, with zeros and a width if wanted, is
 * replaced here, and %% is a percent sign. */
int file_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path)
{
    struct text text = { 0 };
    bool placed = false;
    int rc;

    for (const char *c = pattern; *c; c++) {
        char *end = (char *)c + 1;
        if (*c != '%') {
            text_append(&text, c, 1);
            continue;
        }
        bool zeros = *end == '0';
        unsigned long width = isdigit((unsigned char)*end) ? strtoul(end, &end, 10) : 0;
        if (c[1] == '%') {
            text_append(&text, c++, 1);
            continue;
        }
        if (*end != 'd' || width > 20 || placed) {
            rc = mw_fail(MW_EINVAL, "--%s: '%s' may hold one %%d or %%06d for the step, and %%%% for a percent sign",
                         option, pattern);
            goto out;
        }
        text_add(&text, zeros ? "%0*llu" : "%*llu", (int)width, (unsigned long long)step);
        placed = true;
        c = end;
    }
    TRY(text_ok(&text));
    if (series && !placed) {
        const char *name = strrchr(pattern, '/') ? strrchr(text.data, '/') + 1 : text.data;
        const char *dot = strrchr(name, '.');
        size_t stem = dot && dot != name ? (size_t)(dot - text.data) : text.length;
        struct text numbered = { 0 };
        text_add(&numbered, "%.*s-%06llu%s", (int)stem, text.data, (unsigned long long)step, text.data + stem);
        text_free(&text);
        text = numbered;
        TRY(text_ok(&text));
    }
    *path = text.data;
    text.data = NULL;
out:
    text_free(&text);
    return rc;
}

bool file_has_number(const char *pattern)
{
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c++) {
        if (*++c == '%')
            continue;
        while (isdigit((unsigned char)*c))
            c++;
        return *c == 'd';
    }
    return false;
}

int file_array_writable(const char *path)
{
    if (strcmp(path, "-") != 0)
        return file_writable(path);
    if (isatty(STDOUT_FILENO))
        return mw_fail(MW_EINVAL, "-o -: standard output is a terminal: send it to a file or a program");
    output_results_to_stderr();
    return 0;
}

int file_pictures(const char *what)
{
#ifdef HAVE_LIBPNG
    (void)what;
    return 0;
#else
    return mw_fail(MW_ENOTSUP, "%s: meshwork was built without libpng: install libpng-dev and build it again", what);
#endif
}

int file_picture_writable(const char *path)
{
    int rc;

    TRY(file_pictures(path));
    TRY(file_writable(path));
out:
    return rc;
}

const char *file_words(const char *path)
{
    return strcmp(path, "-") ? path : "to standard output";
}

/* Output files: checks names and writes files. */
#include "tools/report/files.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <meshwork/io.h>

#include "tools/cli/text.h"
#include "tools/report/output.h"

#define WRITTEN_MAX 16 /* more than the output options of any command */

/* An output file; a series (one file per step) with its pattern and last step; or an input file that must stay
 * unchanged.  `folder` identifies the folder regardless of its path. */
struct series {
    const char *pattern;
    uint64_t last;
    bool read;
};
struct written {
    dev_t device;
    ino_t folder;
    char name[NAME_MAX + 1];
    struct series is;
};

/* Files of the command so far. */
static struct written written[WRITTEN_MAX];
static size_t written_count;

static bool standard_output_taken;

void files_forget(void)
{
    written_count = 0;
    standard_output_taken = false;
}

static bool forbidden;

void files_forbid(bool forbid) { forbidden = forbid; }

bool files_forbidden(void) { return forbidden; }

bool file_is_of_series(const char *pattern, uint64_t last, const char *name)
{
    const char *slash = strrchr(pattern, '/'), *base = slash ? slash + 1 : pattern;
    bool same = false;
    if (file_has_number(base) != file_has_number(pattern))
        return false;
    for (const char *c = name; *c && !same; c++) {
        char *path = NULL;
        const uint64_t step = mw_is_digit(*c) ? strtoull(c, NULL, 10) : UINT64_MAX;
        if (step <= last && file_numbered("", base, step, true, &path) == 0)
            same = !strcmp(path, name);
        free(path);
    }
    return same;
}

/* Returns whether a series contains the name.  A stopped run writes its last step, so each step counts. */
static bool gives_name(const struct written *w, const char *name)
{
    return w->is.pattern && file_is_of_series(w->is.pattern, w->is.last, name);
}

/* Rejects two outputs with the same name, and an output that would replace an input.  Other files than regular ones,
 * such as /dev/null, take any number of outputs. */
static int name_once(const char *path, const struct stat *folder, const char *name, struct series is)
{
    struct written *own = &written[written_count];
    if (written_count == WRITTEN_MAX || strlen(name) > NAME_MAX)
        return 0;
    *own = (struct written){ .device = folder->st_dev, .folder = folder->st_ino, .is = is };
    strcpy(own->name, name);
    for (const struct written *w = written; w < own; w++) {
        if (w->device != own->device || w->folder != own->folder || (w->is.read && is.read) ||
            (strcmp(w->name, name) != 0 && !gives_name(w, name) && !gives_name(own, w->name)))
            continue;
        path = gives_name(own, w->name) ? w->name : path;
        if (w->is.read || is.read)
            return mw_fail(MW_EINVAL, "%s is an input file that an output would replace: give another name", path);
        return mw_fail(MW_EINVAL, "%s is the file of two outputs: give one of them another name", path);
    }
    written_count++;
    return 0;
}

int file_target(const char *path, char **target)
{
    enum { LINKS_MAX = 40 }; /* limit of the system */
    char to[PATH_MAX], *at = realpath(path, NULL);
    struct mw_text next = { 0 };
    int rc = 0;

    if (!at)
        TRY(mw_strdup(path, &at));
    for (int i = 0; i < LINKS_MAX; i++) {
        const ssize_t n = readlink(at, to, sizeof(to) - 1);
        const char *slash = strrchr(at, '/');
        if (n < 0)
            break;
        to[n] = 0;
        mw_text_add(&next, "%.*s%s", slash && to[0] != '/' ? (int)(slash - at + 1) : 0, at, to);
        TRY(mw_text_ok(&next));
        free(at);
        at = next.data;
        next = (struct mw_text){ 0 };
    }
    *target = at;
    at = NULL;
out:
    free(at);
    mw_text_free(&next);
    return rc;
}

/* Removes the name of an array in a file: FILE.npz:NAME. */
static void drop_member(char *path)
{
    const struct mw_array_format *format;
    const char *at = path;
    if (access(path, F_OK) == 0 || (mw_array_format_find(path, false, &format) != 0))
        return;
    while ((at = mw_find_word(at, format->suffix)) != NULL) {
        at += strlen(format->suffix);
        if (*at == ':')
            path[at - path] = 0;
    }
}

/* Registers the name of a file; checks that an output file can be written. */
static int take_name(const char *path, struct series is)
{
    const int access_wanted = is.read ? F_OK : W_OK | X_OK;
    const char *slash, *folder = ".";
    struct stat status;
    char *above = NULL, *end = NULL;
    int rc;
    TRY(file_target(path, &end));
    drop_member(end);
    slash = strrchr(end, '/');
    if (slash) {
        TRY(mw_strdup(end, &above));
        above[slash == end ? 1 : slash - end] = 0;
        folder = above;
    }
    if (access(folder, access_wanted) && errno == ENOENT)
        rc = mw_fail(MW_EIO, "cannot write %s: folder %s does not exist", path, folder);
    else if (access(folder, access_wanted))
        rc = mw_fail(MW_EIO, "cannot write %s: folder %s: %s", path, folder, strerror(errno));
    else if (stat(folder, &status) == 0)
        rc = name_once(path, &status, slash ? slash + 1 : end, is);
out:
    free(above);
    free(end);
    return rc;
}

/* Checks before a long computation that a file can be written. */
static int check_writable(const char *path, struct series is)
{
    struct stat status;
    if (forbidden)
        return mw_fail(MW_EINVAL, "cannot write %s: this command may not write files", path);
    if (!strcmp(path, "-"))
        return mw_fail(MW_EINVAL, "%s means standard output, but this output needs a file: give a name", path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return mw_fail(MW_EIO, "cannot write %s: it is a folder; give the name of a file in it", path);
    if (stat(path, &status) == 0 && access(path, W_OK))
        return mw_fail(MW_EIO, "cannot write %s: %s", path, strerror(errno));
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return 0;
    return take_name(path, is);
}

int file_writable(const char *path) { return check_writable(path, (struct series){ 0 }); }

int file_stays(const char *path)
{
    struct stat status;
    if (!strcmp(path, "-") || (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
        return 0;
    if (access(path, F_OK) && !strchr(path, ':'))
        return 0;
    return take_name(path, (struct series){ .read = true });
}

int file_series_writable(const char *option, const char *pattern, uint64_t last)
{
    char *path = NULL;
    int rc;
    TRY(file_numbered(option, pattern, last, true, &path));
    TRY(check_writable(path, (struct series){ .pattern = pattern, .last = last }));
out:
    free(path);
    return rc;
}

int file_generations_writable(const char *path)
{
    static const char *const suffixes[] = { ".old", ".new" };
    struct mw_text name = { 0 };
    char *target = NULL;
    int rc;
    TRY(file_writable(path));
    TRY(file_target(path, &target));
    for (size_t i = 0; i < MW_COUNT(suffixes); i++) {
        name.length = 0;
        mw_text_add(&name, "%s%s", target, suffixes[i]);
        TRY(mw_text_ok(&name));
        TRY(take_name(name.data, (struct series){ 0 }));
    }
out:
    free(target);
    mw_text_free(&name);
    return rc;
}

/* Replaces one %d, optionally with zeros and a width, and %%.  The user's text is never passed to printf. */
int file_numbered(const char *option, const char *pattern, uint64_t step, bool series, char **path)
{
    struct mw_text text = { 0 };
    bool placed = false;
    int rc;
    for (const char *c = pattern; *c; c++) {
        char *end = (char *)c + 1;
        if (*c != '%') {
            mw_text_append(&text, c, 1);
            continue;
        }
        bool zeros = *end == '0';
        unsigned long width = mw_is_digit(*end) ? strtoul(end, &end, 10) : 0;
        if (c[1] == '%') {
            mw_text_append(&text, c++, 1);
            continue;
        }
        if (*end != 'd' || width > 20 || placed)
            TRY(mw_fail(MW_EINVAL, "--%s: '%s' may contain one %%d or %%06d for the step, and %%%% for a percent sign",
                        option, pattern));
        mw_text_add(&text, zeros ? "%0*llu" : "%*llu", (int)width, (unsigned long long)step);
        placed = true;
        c = end;
    }
    TRY(mw_text_ok(&text));
    if (series && !placed) {
        const char *name = strrchr(pattern, '/') ? strrchr(text.data, '/') + 1 : text.data;
        const char *dot = strrchr(name, '.');
        size_t stem = dot && dot != name ? (size_t)(dot - text.data) : text.length;
        struct mw_text numbered = { 0 };
        mw_text_add(&numbered, "%.*s-%06llu%s", (int)stem, text.data, (unsigned long long)step, text.data + stem);
        mw_text_free(&text);
        text = numbered;
        TRY(mw_text_ok(&text));
    }
    *path = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    return rc;
}

bool file_has_number(const char *pattern)
{
    for (const char *c = pattern; (c = strchr(c, '%')) != NULL; c++) {
        if (*++c == '%')
            continue;
        while (mw_is_digit(*c))
            c++;
        return *c == 'd';
    }
    return false;
}

int file_to_standard_output(bool binary)
{
    if (forbidden)
        return mw_fail(MW_EINVAL, "cannot write data to standard output: this command may not write files");
    if (standard_output_taken)
        return mw_fail(MW_EINVAL, "two outputs go to standard output: give one of them a file");
    if (binary && isatty(STDOUT_FILENO))
        return mw_fail(MW_EINVAL, "standard output is a terminal: redirect it to a file or a program");
    standard_output_taken = true;
    output_results_to_stderr();
    return 0;
}

int file_array_writable(const char *path)
{
    return strcmp(path, "-") ? file_writable(path) : file_to_standard_output(true);
}

int file_text_writable(const char *path)
{
    return strcmp(path, "-") ? file_writable(path) : file_to_standard_output(false);
}

int file_pictures(const char *what)
{
#ifdef HAVE_LIBPNG
    return 0;
#else
    return mw_fail(MW_ENOTSUP, "%s: meshwork was built without libpng: install libpng-dev and rebuild meshwork", what);
#endif
}

int file_picture_writable(const char *path)
{
    TRY_RETURN(file_pictures(path));
    return file_array_writable(path);
}

int file_kind_writable(const char *option, const char *path, const char *suffix)
{
    if (!path)
        return 0;
    if (strcmp(path, "-") != 0 && !text_ends_in(path, suffix))
        return mw_fail(MW_EINVAL, "--%s: '%s' must end in %s, or be - for standard output", option, path, suffix);
    return !strcmp(suffix, ".csv")   ? file_text_writable(path)
           : !strcmp(suffix, ".png") ? file_picture_writable(path)
                                     : file_array_writable(path);
}

static bool holds_arrays(const struct mw_array_format *f, bool pictures)
{
    return f->reads && f->writes && (pictures || !f->is_picture);
}

void file_add_suffixes(struct mw_text *text, bool pictures)
{
    const struct mw_array_format *f;
    size_t count = 0;
    for (size_t i = 0; (f = mw_array_formats(i)) != NULL; i++)
        if (holds_arrays(f, pictures))
            mw_text_add(text, "%s%s", count++ ? ", " : "", f->suffix);
}

static int fail_suffix(const char *option, const char *path, bool pictures)
{
    struct mw_text known = { 0 };
    int rc;
    file_add_suffixes(&known, pictures);
    TRY(mw_text_ok(&known));
    rc = mw_fail(MW_EINVAL, "--%s: '%s' must end in %s, or be - for standard output", option, path, known.data);
out:
    mw_text_free(&known);
    return rc;
}

bool file_is_of_arrays(const char *path)
{
    const struct mw_array_format *format;
    return mw_array_format_find(path, true, &format) == 0 && holds_arrays(format, false);
}

int file_companion_writable(const char *path)
{
    const struct mw_array_format *format;
    struct mw_text other = { 0 };
    int rc;
    if (mw_array_format_find(path, true, &format) != 0 || !format->companion)
        return 0;
    mw_text_add(&other, "%.*s%s", (int)(strlen(path) - strlen(format->suffix)), path, format->companion);
    TRY(mw_text_ok(&other));
    TRY(file_writable(other.data));
out:
    mw_text_free(&other);
    return rc;
}

int file_of_arrays_writable(const char *option, const char *path, bool pictures)
{
    const struct mw_array_format *format;
    if (!path)
        return 0;
    if (mw_array_format_find(path, true, &format) != 0 || !holds_arrays(format, pictures))
        return fail_suffix(option, path, pictures);
    if (format->is_picture)
        return file_picture_writable(path);
    TRY_RETURN(file_array_writable(path));
    return file_companion_writable(path);
}

int file_write(const char *path, bool synced, const char *bytes, size_t n)
{
    struct mw_file *file = NULL;
    int rc;
    TRY(mw_file_create(path, synced, &file));
    TRY(mw_file_write(file, bytes, n));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    return rc;
}

const char *file_words(const char *path) { return strcmp(path, "-") ? path : "to standard output"; }
/* SPDX-License-Identifier: MIT */

/* Other programs, and plots drawn by gnuplot. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <meshwork/file.h>

#include "tools/report/files.h"

bool file_program(const char *program)
{
    const char *path = getenv("PATH");
    bool found = false;
    for (path = path ? path : "/usr/bin:/bin"; *path && !found; path += strspn(path, ":")) {
        struct mw_text file = { 0 };
        struct stat status;
        size_t n = strcspn(path, ":");
        mw_text_add(&file, "%.*s/%s", (int)n, path, program);
        found = mw_text_ok(&file) == 0 && access(file.data, X_OK) == 0 && stat(file.data, &status) == 0 &&
                S_ISREG(status.st_mode);
        mw_text_free(&file);
        path += n;
    }
    return found;
}

int program_start(const char *command, const char *mode, struct piped *piped)
{
    const bool reads = *mode == 'r';
    char *const arguments[] = { "sh", "-c", (char *)command, NULL };
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int ends[2], failed;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return mw_fail(MW_EIO, "cannot start a program: %s", strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, ends[reads], reads ? STDOUT_FILENO : STDIN_FILENO);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    failed = posix_spawn(&piped->process, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    close(ends[reads]);
    piped->pipe = failed ? NULL : fdopen(ends[!reads], mode);
    if (!piped->pipe)
        close(ends[!reads]);
    return piped->pipe ? 0 : mw_fail(MW_EIO, "cannot start a program: %s", strerror(failed ? failed : errno));
}

int program_end(struct piped *piped)
{
    int status = -1;
    if (!piped->pipe)
        return -1;
    fclose(piped->pipe);
    piped->pipe = NULL;
    while (waitpid(piped->process, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

int plot_possible(const char *option, const char *path, const char *instead)
{
    const bool plot = !strcmp(option, "plot");
    if (!path)
        return 0;
    if (!text_ends_in(path, ".png") && !text_ends_in(path, ".svg") && !text_ends_in(path, ".pdf") &&
        !(plot && !strcmp(path, "-")))
        return mw_fail(MW_EINVAL, "--%s: '%s' must end in .png, .svg or .pdf%s", option, path,
                       plot ? ", or be - for standard output" : "");
    if (!file_program("gnuplot"))
        return mw_fail(MW_ENOTSUP,
                       "--%s needs the program gnuplot, which is not installed: install it (gnuplot-nox on Debian and "
                       "Ubuntu), or use %s instead",
                       option, instead);
    return 0;
}

int plot_check(const char *plot, const char *instead)
{
    TRY_RETURN(plot_possible("plot", plot, instead));
    return plot ? file_text_writable(plot) : 0;
}

void plot_quote(struct mw_text *script, const char *words)
{
    mw_text_add(script, "'");
    for (; *words; words++)
        mw_text_add(script, *words == '\'' ? "''" : "%c", *words);
    mw_text_add(script, "'");
}

void plot_terminal(struct mw_text *script, const char *path, double width, double height)
{
    const bool pdf = text_ends_in(path, ".pdf"), png = text_ends_in(path, ".png");
    mw_text_add(script, "set encoding utf8\nset terminal %s font %s size %.4g%s,%.4g%s\n",
                pdf   ? "pdfcairo"
                : png ? "pngcairo"
                      : "svg background 'white'",
                pdf || png ? "'Sans,12'" : "'Helvetica,Arial,sans-serif,15'", pdf ? width / 96 : width, pdf ? "in" : "",
                pdf ? height / 96 : height, pdf ? "in" : "");
}

void plot_begin(struct mw_text *script, const char *plot, double width, double height)
{
    plot_terminal(script, plot, width, height);
    mw_text_add(script, "set datafile missing '?'\nset grid\nset key noenhanced\n");
}

void plot_range_add(struct plot_range *range, double value)
{
    range->least = range->count ? fmin(range->least, value) : value;
    range->most = range->count ? fmax(range->most, value) : value;
    range->count++;
}

void plot_range_set(struct mw_text *script, char axis, const struct plot_range *range)
{
    const double middle = range->count ? range->least : 1, half = middle == 0 ? 0.5 : fabs(middle) / 2;
    /* Values are written with nine digits; smaller differences would vanish. */
    if (range->most - range->least > 1e-8 * fmax(fabs(range->least), fabs(range->most)))
        mw_text_add(script, "set autoscale %c\n", axis);
    else
        mw_text_add(script, "set %crange [%.9g:%.9g]\n", axis, middle - half, middle + half);
}

/* gnuplot reads the script from a memory file: with two pipes both sides could block.  Scripts are UTF-8; in other
 * locales gnuplot would convert them and warn. */
int plot_draw(const char *plot, const struct mw_text *script, struct mw_text *drawn)
{
    char command[80], bytes[4096];
    struct piped gnuplot = { 0 };
    size_t n;
    int rc, status, file = -1;
    TRY(mw_text_ok(script));
    file = memfd_create("script", 0);
    snprintf(command, sizeof(command), "LC_ALL=C.UTF-8 exec gnuplot </dev/fd/%d", file);
    if (file < 0 || write(file, script->data, script->length) != (ssize_t)script->length)
        TRY(mw_fail(MW_EIO, "cannot keep the script of %s: %s", plot, strerror(errno)));
    TRY(program_start(command, "r", &gnuplot));
    while ((n = fread(bytes, 1, sizeof(bytes), gnuplot.pipe)) > 0)
        mw_text_append(drawn, bytes, n);
    status = program_end(&gnuplot);
    if (status != 0 || !drawn->length)
        TRY(mw_fail(MW_EIO, "gnuplot did not draw %s: %s", plot,
                    status == -1 ? strerror(errno) : "see its messages above"));
    rc = mw_text_ok(drawn);
out:
    if (file >= 0)
        close(file);
    return rc;
}

int plot_run(const char *plot, const struct mw_text *script)
{
    struct mw_text drawn = { 0 };
    int rc;
    TRY(plot_draw(plot, script, &drawn));
    rc = file_write(plot, true, drawn.data, drawn.length);
out:
    mw_text_free(&drawn);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* meshwork run --vtk: the list of a series of VTK files with their times, which ParaView opens as one
 * (https://www.paraview.org/Wiki/ParaView/Data_formats, "PVD File Format"). */
#include <math.h>
#include <stdio.h>

#include "tools/report/files.h"
#include "tools/run/simulation.h"

#define ENTRY "    <DataSet timestep=\""
#define BEGINS "<?xml"

/* Makes the name of the list: that of the series without the number and the sign before it.  NULL: the
 * files are in several folders, or have names that XML has to escape. */
static int pvd_name(const char *pattern, char **name)
{
    const char *slash = strrchr(pattern, '/'), *base = slash ? slash + 1 : pattern;
    const char *suffix = strrchr(base, '.'), *end = suffix && suffix > base ? suffix : base + strlen(base);
    struct mw_text stem = { 0 };
    int rc = 0;
    *name = NULL;
    if ((file_has_number(pattern) && !file_has_number(base)) || strpbrk(base, "<>&\""))
        return 0;
    mw_text_add(&stem, "%.*s", (int)(base - pattern), pattern);
    for (const char *c = base; c < end; c++) {
        const char *after = c + 1 + strspn(c + 1, "0123456789");
        if (*c != '%' || *after != 'd')
            mw_text_append(&stem, c, 1);
        else {
            while (stem.length > (size_t)(base - pattern) && strchr("-_.", stem.data[stem.length - 1]))
                stem.length--;
            c = after;
        }
        c += *c == '%' && c[1] == '%';
    }
    mw_text_add(&stem, stem.length > (size_t)(base - pattern) ? ".pvd" : "series.pvd");
    TRY(mw_text_ok(&stem));
    *name = stem.data;
    stem.data = NULL;
out:
    mw_text_free(&stem);
    return rc;
}

int pvd_prepare(const struct run *r, const char *pattern)
{
    char *path = NULL;
    int rc;
    TRY(pvd_name(pattern, &path));
    if (path)
        TRY(file_writable(path));
    if (path && r->resume.from && !restart_begins(path, BEGINS))
        rc = mw_fail(MW_EINVAL, "%s, the list of the VTK files, has other contents: give other names by --vtk", path);
out:
    free(path);
    return rc;
}

/* Keeps the entries of earlier runs before a time. */
static void keep_entries(const char *path, double time, struct mw_text *entries)
{
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) > 0)
        if (!strncmp(line, ENTRY, sizeof ENTRY - 1) && strtod(line + sizeof ENTRY - 1, NULL) < time)
            mw_text_add(entries, "%s", line);
    free(line);
    if (file)
        fclose(file);
}

int pvd_add(struct run *r, const char *pattern, const char *file, uint64_t step)
{
    struct mw_text *entries = &r->observe.vtk_list;
    const char *slash = strrchr(file, '/');
    const double time = run_time(r, step);
    char *path = NULL;
    if (!entries->length && r->resume.from) {
        TRY_RETURN(pvd_name(pattern, &path));
        if (path)
            keep_entries(path, time, entries);
        free(path);
    }
    mw_text_add(entries, ENTRY "%.17g\" group=\"\" part=\"0\" file=\"%s\"/>\n", time, slash ? slash + 1 : file);
    return mw_text_ok(entries);
}

int pvd_write(const struct run *r, const char *pattern)
{
    struct mw_text text = { 0 };
    char *path = NULL;
    int rc;
    TRY(pvd_name(pattern, &path));
    if (!path || !r->observe.vtk_list.length)
        goto out;
    mw_text_add(&text,
                BEGINS " version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n  <Collection>\n%s"
                       "  </Collection>\n</VTKFile>\n",
                r->observe.vtk_list.data);
    TRY(mw_text_ok(&text));
    TRY(file_write(path, false, text.data, text.length));
out:
    mw_text_free(&text);
    free(path);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Plain pictures of states (--png). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <meshwork/file.h>

#include "tools/run/pictures/picture.h"

enum { GAP = 2 /* cells between two systems */ };

/* Each cell becomes a square of pixels; a line becomes a strip. */
static int enlarge(const struct mw_array *cells, size_t by, size_t down, struct mw_array *large)
{
    const size_t length[] = { cells->length[0] * by, cells->length[1] * down }, width = mw_type_bytes(cells->type);
    const char *from = cells->data;
    TRY_RETURN(mw_array_new(cells->type, 2, length, large));
    char *to = large->data;
    for (size_t y = 0; y < length[1]; y++)
        for (size_t x = 0; x < length[0]; x++, to += width)
            memcpy(to, from + (y / down * cells->length[0] + x / by) * width, width);
    return 0;
}

int picture_all(const struct run *r, const struct shown *shown, double lo, size_t most, struct mw_array *all)
{
    const size_t columns = (size_t)ceil(sqrt((double)shown->systems)), rows = (shown->systems - 1) / columns + 1;
    struct plane plane = picture_plane(r, shown);
    double extent[2];
    plane.in_squares = true; /* pixels are squares */
    if (shown->systems == 1)
        return picture_cut(r, shown, 0, &plane, most, all, extent);
    for (size_t i = 0; i < shown->systems; i++) {
        struct mw_array one = { 0 };
        TRY_RETURN(picture_cut(r, shown, i, &plane, most / columns, &one, extent));
        const size_t nx = one.length[0], ny = one.length[1], pitch = columns * (nx + GAP) - GAP;
        const int rc = i > 0 ? 0 : mw_array_new(MW_TYPE_F64, 2, (size_t[]){ pitch, rows * (ny + GAP) - GAP }, all);
        for (size_t k = 0; rc == 0 && i == 0 && k < all->count; k++)
            ((double *)all->data)[k] = lo;
        double *to = (double *)all->data + (i / columns) * (ny + GAP) * pitch + (i % columns) * (nx + GAP);
        for (size_t y = 0; rc == 0 && y < ny; y++)
            memcpy(to + y * pitch, (double *)one.data + y * nx, nx * sizeof(double));
        mw_array_free(&one);
        TRY_RETURN(rc);
    }
    return 0;
}

/* Makes pixels of cells, and writes them. */
static int write_cells(const struct run *r, const char *path, const struct mw_array *cells, const char *colours,
                       double lo, double hi)
{
    const size_t longest = cells->length[0] > cells->length[1] ? cells->length[0] : cells->length[1];
    const size_t by = r->set->scale ? (size_t)r->set->scale : (PICTURE_PIXELS - 1) / longest + 1;
    const size_t down = cells->length[1] == 1 ? PICTURE_STRIP : by;
    struct mw_array large = { 0 };
    if (by > 1 || down > 1)
        TRY_RETURN(enlarge(cells, by, down, &large));
    const int rc = mw_png_write(path, large.data ? &large : cells, colours, lo, hi);
    mw_array_free(&large);
    return rc;
}

/* ---- --range all ---- */

struct pictures {
    struct kept kept;
    char **paths;
};

static int keep(struct run *r, const char *path)
{
    struct pictures *all = r->observe.picture.all;
    char *copy = NULL;
    if (!all) {
        TRY_RETURN(mw_new(1, sizeof(*all), &all));
        r->observe.picture.all = all;
        if (r->resume.from)
            print_note("--range all: the range is that of the pictures from step %llu on",
                       (unsigned long long)mw_checkpoint_step(r->resume.from));
    }
    TRY_RETURN(mw_grow(all->kept.count, sizeof(*all->paths), &all->paths));
    TRY_RETURN(mw_strdup(path, &copy));
    all->paths[all->kept.count] = copy;
    const int rc = kept_add(r, "range all", path, 0, &all->kept);
    if (rc)
        free(copy);
    return rc;
}

int picture_finish(struct run *r)
{
    struct pictures *all = r->observe.picture.all;
    int rc = 0;
    if (!all || !all->kept.count)
        return 0;
    mw_file_sync_later(true); /* all at once */
    for (size_t i = 0; i < all->kept.count; i++) {
        TRY(kept_read(&all->kept, i));
        TRY(write_cells(r, all->paths[i], &all->kept.frame, all->kept.colours, all->kept.lo, all->kept.hi));
    }
    rc = mw_file_system_sync(all->paths[0]);
out:
    mw_file_sync_later(false);
    return rc;
}

void picture_free(struct run *r)
{
    struct pictures *all = r->observe.picture.all;
    for (size_t i = 0; all && i < all->kept.count; i++)
        free(all->paths[i]);
    if (all) {
        free(all->paths);
        kept_free(&all->kept);
    }
    free(all);
    r->observe.picture.all = NULL;
}

int picture_write(struct run *r, const char *path, uint64_t step)
{
    struct shown shown = { 0 };
    struct mw_array cells = { 0 };
    double lo, hi;
    int rc;
    if (picture_waits(r))
        return keep(r, path);
    TRY(r->kind->observe.show(r, shown_name(r, 0), &shown));
    picture_range(r, &shown, &lo, &hi);
    TRY(picture_all(r, &shown, lo, 0, &cells));
    TRY(write_cells(r, path, &cells, picture_colours(r, &shown), lo, hi));
out:
    mw_array_free(&cells);
    shown_free(&shown);
    return rc;
}
/* SPDX-License-Identifier: MIT */

/* Several states of a run in one figure (--sheet); of one dimension, as a picture of place and time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/run/pictures/picture.h"

enum {
    KEPT_CELLS = 256, /* along a side */
    KEPT_MOST = 24,   /* states; beyond, every second one is dropped */
    ROWS_MOST = 512   /* the same of one dimension */
};

/* States that the sheet has so far: every `each`-th that was observed. */
struct sheet {
    struct panels panels;
    double *times;
    size_t seen, each;
};

static void drop_every_second(struct sheet *sheet)
{
    struct panels *panels = &sheet->panels;
    size_t kept = 0;
    for (size_t i = 0; i < panels->count; i++)
        if (i % 2 == 0) {
            sheet->times[kept] = sheet->times[i];
            panels->item[kept++] = panels->item[i];
        } else {
            mw_array_free(&panels->item[i].cells);
        }
    panels->count = kept;
    sheet->each *= 2;
}

int sheet_keep(struct run *r, uint64_t step)
{
    struct sheet *sheet = r->observe.picture.sheet;
    struct shown shown = { 0 };
    struct panel *panel;
    int rc = 0;
    if (!r->set->sheet)
        return 0;
    if (!sheet) {
        TRY(mw_new(1, sizeof(*sheet), &sheet));
        r->observe.picture.sheet = sheet;
        sheet->each = 1;
    }
    if (sheet->seen++ % sheet->each)
        return 0;
    TRY(r->kind->observe.show(r, shown_name(r, 0), &shown));
    TRY(shown_leave_holes(&shown));
    const struct plane plane = picture_plane(r, &shown);
    if (sheet->panels.count == (shown.values.dims == 1 ? ROWS_MOST : KEPT_MOST)) {
        drop_every_second(sheet);
        if ((sheet->seen - 1) % sheet->each)
            goto out;
    }
    TRY(mw_grow(sheet->panels.count, sizeof(*sheet->panels.item), &sheet->panels.item));
    TRY(mw_grow(sheet->panels.count, sizeof(*sheet->times), &sheet->times));
    panel = &sheet->panels.item[sheet->panels.count];
    sheet->times[sheet->panels.count] = run_time(r, step);
    rc = panel_fill(r, &shown, 0, &plane, KEPT_CELLS, panel);
    if (rc) {
        mw_array_free(&panel->cells);
        goto out;
    }
    sheet->panels.count++;
    snprintf(panel->title, sizeof(panel->title), "%s, %s", shown.name, figure_when(r, step).text);
out:
    shown_free(&shown);
    return rc;
}

/* Makes one panel of the rows of a mesh of one dimension: space to the right, time upwards.  A row of the panel is the
 * state whose time is nearest. */
static int join_rows(const struct run *r, const struct sheet *sheet, struct panel *joined)
{
    const struct panels *panels = &sheet->panels;
    const size_t nx = panels->item[0].cells.length[0], count = panels->count;
    const double first = sheet->times[0], span = count > 1 ? sheet->times[count - 1] - first : 1;
    size_t at = 0;
    *joined = panels->item[0];
    joined->cells = (struct mw_array){ .data = NULL };
    TRY_RETURN(mw_array_new(MW_TYPE_F64, 2, (size_t[]){ nx, ROWS_MOST }, &joined->cells));
    for (size_t y = 0; y < ROWS_MOST; y++) {
        const double time = first + ((double)y + 0.5) / ROWS_MOST * span;
        while (at + 1 < count && fabs(sheet->times[at + 1] - time) <= fabs(sheet->times[at] - time))
            at++;
        memcpy((double *)joined->cells.data + y * nx, panels->item[at].cells.data, nx * sizeof(double));
    }
    joined->origin[1] = first;
    joined->extent[1] = span;
    joined->is_line = false;
    joined->is_history = true;
    snprintf(joined->y, sizeof(joined->y), "%s", r->kind->timed ? "time" : "step");
    *strrchr(joined->title, ',') = 0;
    return 0;
}

size_t sheet_states(const struct run *r)
{
    const struct sheet *sheet = r->observe.picture.sheet;
    return sheet ? sheet->panels.count : 0;
}

int sheet_finish(struct run *r)
{
    struct sheet *sheet = r->observe.picture.sheet;
    struct panel joined = { .lo = 0 };
    struct panels one = { &joined, 1 };
    double lo = INFINITY, hi = -INFINITY;
    int rc = 0;
    if (!sheet || !sheet->panels.count)
        return 0;
    for (size_t i = 0; i < sheet->panels.count; i++) {
        lo = fmin(lo, sheet->panels.item[i].lo);
        hi = fmax(hi, sheet->panels.item[i].hi);
    }
    for (size_t i = 0; i < sheet->panels.count; i++) { /* one range for all */
        sheet->panels.item[i].lo = lo;
        sheet->panels.item[i].hi = hi;
        sheet->panels.item[i].colours = sheet->panels.item[0].colours;
    }
    const bool rows = sheet->panels.item[0].is_line;
    if (rows)
        TRY(join_rows(r, sheet, &joined));
    TRY(figure_draw(r, r->set->sheet, NULL, rows ? &one : &sheet->panels, NULL));
out:
    mw_array_free(&joined.cells);
    return rc;
}

void sheet_free(struct run *r)
{
    struct sheet *sheet = r->observe.picture.sheet;
    if (!sheet)
        return;
    panels_free(&sheet->panels);
    free(sheet->times);
    free(sheet);
    r->observe.picture.sheet = NULL;
}
/* SPDX-License-Identifier: MIT */

/* Frames of states that wait until the range of all is known, for films and for pictures of --range all.  They are in
 * an unnamed file, as float32, or float64 if the values are. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/run/pictures/picture.h"

int kept_open(const char *path, FILE **file)
{
    struct mw_text name = { 0 };
    int descriptor = -1, rc;
    mw_text_add(&name, "%s.XXXXXX", path);
    TRY(mw_text_ok(&name));
    descriptor = mkstemp(name.data);
    if (descriptor >= 0) {
        unlink(name.data);
        *file = fdopen(descriptor, "w+b");
    }
    if (descriptor < 0 || !*file)
        TRY(mw_fail(MW_EIO, "cannot keep the frames of %s in its folder: %s", path, strerror(errno)));
out:
    if (rc && descriptor >= 0)
        close(descriptor);
    mw_text_free(&name);
    return rc;
}

/* Takes the lengths and colours of the first frame. */
static int kept_begin(struct run *r, const struct mw_array *cells, const struct shown *shown, const char *path,
                      struct kept *kept)
{
    kept->colours = picture_colours(r, shown);
    kept->lo = INFINITY;
    kept->hi = -INFINITY;
    const enum mw_type type = shown->values.type == MW_TYPE_F64 ? MW_TYPE_F64 : MW_TYPE_F32;
    TRY_RETURN(mw_array_new(type, 2, cells->length, &kept->frame));
    TRY_RETURN(mw_strdup(path, &kept->path));
    return kept_open(path, &kept->file);
}

int kept_add(struct run *r, const char *option, const char *path, size_t most, struct kept *kept)
{
    struct shown shown = { 0 };
    struct mw_array cells = { 0 };
    double lo, hi;
    int rc;
    TRY(r->kind->observe.show(r, shown_name(r, 0), &shown));
    picture_range(r, &shown, &lo, &hi);
    TRY(picture_all(r, &shown, lo, most, &cells));
    if (!kept->file)
        TRY(kept_begin(r, &cells, &shown, path, kept));
    if (memcmp(cells.length, kept->frame.length, 2 * sizeof(*cells.length)) != 0)
        TRY(mw_fail(MW_EINVAL,
                    "--%s: the size of the pictures changes with time: use --png with a number, without --range all",
                    option));
    const size_t bytes = mw_type_bytes(kept->frame.type);
    const void *frame = bytes == sizeof(double) ? cells.data : kept->frame.data;
    for (size_t i = 0; i < cells.count && frame != cells.data; i++)
        ((float *)kept->frame.data)[i] = (float)((const double *)cells.data)[i];
    kept->lo = fmin(kept->lo, lo);
    kept->hi = fmax(kept->hi, hi);
    if (fwrite(frame, bytes, cells.count, kept->file) != cells.count)
        TRY(mw_fail(MW_EIO, "cannot keep the frames of %s in its folder: %s", kept->path, strerror(errno)));
    kept->count++;
out:
    mw_array_free(&cells);
    shown_free(&shown);
    return rc;
}

int kept_read(struct kept *kept, size_t i)
{
    if (i == 0)
        rewind(kept->file);
    if (fread(kept->frame.data, mw_type_bytes(kept->frame.type), kept->frame.count, kept->file) == kept->frame.count)
        return 0;
    return mw_fail(MW_EIO, "cannot read the frames of %s again: %s", kept->path, strerror(errno));
}

void kept_free(struct kept *kept)
{
    if (kept->file)
        fclose(kept->file);
    free(kept->path);
    mw_array_free(&kept->frame);
    *kept = (struct kept){ 0 };
}
/* SPDX-License-Identifier: MIT */

/* Images of heads, for kernels that read them by cl/graph/arcs/heads.clh. */
#include <meshwork/image.h>

#include "graph/arcs/arcs.h"
#include "graph/arcs/sizes.clh"

static void drop_image(void *image) { mw_image_free(image); }

int mw_arc_image(const struct mw_arc_worker *worker, const uint32_t *heads, uint64_t arcs, struct mw_image **image)
{
    const size_t rows = arcs ? (size_t)((arcs - 1) / ARCS_IMAGE_ROW) + 1 : 1, length[2] = { ARCS_IMAGE_ROW, rows };
    struct mw_buffer *all = NULL; /* an image is filled from a buffer of its size */
    struct mw_image *made = NULL;
    int rc;
    TRY(mw_image_new(worker->device, 2, length, sizeof *heads, &made));
    TRY(mw_own(worker->own, made, drop_image));
    TRY(mw_buffer_new(worker->device, mw_image_bytes(made), &all));
    if (arcs > 0)
        TRY(mw_buffer_write(all, 0, (size_t)arcs * sizeof *heads, heads, NULL));
    TRY(mw_image_copy_from(made, all, 0, NULL));
    *image = made;
out:
    mw_buffer_free(all);
    return rc;
}
/* SPDX-License-Identifier: MIT */

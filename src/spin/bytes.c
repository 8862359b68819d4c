/* The forms with one byte per spin, in plain rows (also read as an image) or crinkled rows: the kernels of
 * cl/spin/sweep.cl. */
#include "spin/spin_internal.h"
#include "kernels/spin/sweep.h"

#define RATE 1, 100

enum {
    CORE_BLOCKS = 32 /* blocks drawn at a time on a CPU core, as in NATIVE_PROGRAM */
};

/* Makes the transforms from plain to crinkled rows and back. */
static int make_transforms(struct mw_spin_device *p)
{
    const size_t length[] = { (size_t)p->mesh.length[0], p->rows + 2 * (size_t)p->mesh.halo };
    struct mw_map *map = NULL, *inverse = NULL;
    int rc;
    TRY(mw_map_new(2, length, &map));
    TRY(mw_map_crinkle(map, 0, 2));
    TRY(mw_map_inverse(map, &inverse));
    TRY(mw_transform_new(&p->device, 1, map, 1, NULL, &p->crinkle));
    TRY(mw_transform_new(&p->device, 1, inverse, 1, NULL, &p->uncrinkle));
out:
    mw_map_free(inverse);
    mw_map_free(map);
    return rc;
}

static void bytes_drop_image(void *image) { mw_image_free(image); }

/* Makes the image of the part and its halo: a plane, or all volumes of a mesh, one after the other along z. */
static int bytes_make_image(struct mw_spin_device *p)
{
    const size_t rows = mw_spin_device_rows(p), y = (size_t)p->mesh.length[1], volume = p->mesh.dims > 2;
    const size_t length[] = { (size_t)p->mesh.length[0], volume ? y : rows, volume ? rows / y : 1 };
    TRY_RETURN(mw_image_new(p->device, volume ? 3 : 2, length, 1, &p->image));
    return mw_own(&p->owner, p->image, bytes_drop_image);
}

static int bytes_build(struct mw_spin_device *p)
{
    const struct mw_spin_variant *v = p->whole->variant;
    const bool cores = mw_device_info(p->device)->traits->has_cores;
    const int32_t blocks = cores ? CORE_BLOCKS : 1, chunk = blocks * SPIN_BLOCK_SITES;
    const int32_t sites = (p->mesh.length[0] - 1) / 2 + 1, chunks = (sites - 1) / chunk + 1;
    struct mw_kernel_options options = { .native = v->native, .takes = MW_GROUP_ANY };
    struct mw_text defines = { 0 };
    int rc;
    mw_text_add(&defines, "%s#define SPIN_BLOCKS %d\n", v->defines, blocks);
    if (v->image)
        mw_text_add(&defines, "#define SPIN_IMAGE_DIMS %d\n", p->mesh.dims > 2 ? 3 : 2);
    else if (cores)
        mw_text_add(&defines, "#define SPIN_VECTORS 1\n");
    TRY(mw_text_ok(&defines));
    if (v->image)
        TRY(bytes_make_image(p));
    options.defines = defines.data;
    TRY(mw_kernel_set_new(p->device, &kernels_spin_sweep, &options, &p->set));
    p->mesh.pitch = v->image ? 1 : p->mesh.length[0];
    p->row_bytes = (size_t)p->mesh.length[0];
    p->each = !cores ? chunk : chunks < MW_SPIN_CORE_SITES / chunk ? chunks * chunk : MW_SPIN_CORE_SITES;
    p->items = (sites - 1) / p->each + 1;
    p->measurable = sites;
    if (v->crinkled)
        TRY(make_transforms(p));
out:
    mw_text_free(&defines);
    return rc;
}

static int bytes_start(struct mw_spin_device *p)
{
    const int32_t blocks = (p->mesh.length[0] - 1) / SPIN_START_CELLS + 1;
    return launch_spin_start(p->set, mw_spin_device_range(p, blocks), p->cells, p->plan, (int32_t)p->rows,
                             p->whole->options.seed);
}

static int pack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return mw_transform_run(p->crinkle, plain, p->cells, NULL);
}

static int unpack(struct mw_spin_device *p, struct mw_buffer *plain)
{
    return mw_transform_run(p->uncrinkle, p->cells, plain, NULL);
}

static int bytes_sweep(struct mw_spin_device *p, int32_t colour, uint64_t step, int32_t begin, int32_t end)
{
    struct mw_range range = mw_spin_device_range(p, p->items);
    const struct mw_arg image = mw_arg_image(p->image);
    struct mw_event *copied = NULL;
    if (p->image)
        TRY_RETURN(mw_image_copy_from(p->image, p->cells, 0, &copied));
    mw_event_free(copied);
    range.global[1] = (size_t)(end - begin);
    return launch_spin_sweep(p->set, range, p->cells, p->rule, p->plan, begin, end, p->each, colour,
                             p->whole->options.seed, step, &image, p->image ? 1 : 0);
}

static int bytes_measure(struct mw_spin_device *p)
{
    return launch_spin_measure(p->set, mw_spin_device_range(p, p->measurers), p->cells, p->sums[0], p->sums[1], p->plan,
                               (int32_t)p->rows, p->measurers);
}

const struct mw_spin_form mw_spin_plain = { .build = bytes_build,
                                            .start = bytes_start,
                                            .sweep = bytes_sweep,
                                            .rate = { RATE },
                                            .measure = bytes_measure,
                                            .up = 1,
                                            .down = (unsigned char)-1 };
const struct mw_spin_form mw_spin_crinkled = { .build = bytes_build,
                                               .start = bytes_start,
                                               .pack = pack,
                                               .unpack = unpack,
                                               .sweep = bytes_sweep,
                                               .rate = { RATE },
                                               .measure = bytes_measure,
                                               .up = 1,
                                               .down = (unsigned char)-1 };
/* SPDX-License-Identifier: MIT */

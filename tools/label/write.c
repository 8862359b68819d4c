/* meshwork label: copies cells to the device and labels from it in slices, and writes output files. */
#include "tools/label/label.h"
#include "tools/report/files.h"

#define STRIP_ROWS 32 /* picture height of a one-dimensional mesh */
#define BLOCK_ROWS 32 /* labels read from the device at a time */

int label_check_outputs(const struct label *l)
{
    const struct label_settings *set = l->set;
    TRY_RETURN(file_of_arrays_writable("output", set->output, false));
    TRY_RETURN(file_kind_writable("components", set->components, ".csv"));
    TRY_RETURN(file_of_arrays_writable("cells", set->cells, false));
    TRY_RETURN(file_kind_writable("png", set->png, ".png"));
    return file_of_arrays_writable("save-pattern", set->save_pattern, true);
}

/* ---- slices ---- */

bool label_keeps_source(const struct label *l) { return l->set->verify || l->set->save_pattern; }

/* Starts at the end, so that finished memory can be freed. */
int label_upload(struct label *l)
{
    const size_t element = mw_type_bytes(l->source.type);
    char *data = l->source.data, *shrunk;
    for (size_t end = l->source.count * element, begin; end > 0; end = begin) {
        begin = (end - 1) / LABEL_SLICE_BYTES * LABEL_SLICE_BYTES;
        TRY_RETURN(mw_buffer_write(l->from, begin, end - begin, data + begin, NULL));
        if (label_keeps_source(l) || begin == 0)
            continue;
        shrunk = realloc(data, begin);
        l->source.data = data = shrunk ? shrunk : data;
    }
    if (!label_keeps_source(l)) {
        free(l->source.data);
        l->source.data = NULL;
    }
    return 0;
}

int buffer_each_slice(struct mw_buffer *buffer, size_t count, size_t bytes,
                      int (*take)(void *context, size_t first, size_t count, const void *elements), void *context)
{
    const size_t most = LABEL_SLICE_BYTES / bytes;
    char *slice = NULL;
    int rc;
    TRY(mw_new(count < most ? count : most, bytes, &slice));
    for (size_t first = 0; first < count; first += most) {
        const size_t n = count - first < most ? count - first : most;
        TRY(mw_buffer_read(buffer, first * bytes, n * bytes, slice, NULL));
        TRY(take(context, first, n, slice));
    }
out:
    free(slice);
    return rc;
}

int label_each_slice(const struct label *l, int (*take)(void *context, size_t first, size_t count, const void *labels),
                     void *context)
{
    return buffer_each_slice(l->to, l->source.count, mw_type_bytes(l->label_type), take, context);
}

/* ---- the picture ---- */

/* Returns a row of the picture from the block of labels read last. */
struct drawing {
    const struct label *l;
    struct colours colours;
    size_t width, first, rows;
    char *block;
};

static int draw_row(void *context, size_t y, void *rgb)
{
    struct drawing *d = context;
    const struct label *l = d->l;
    const size_t row_bytes = d->width * mw_type_bytes(l->label_type);
    if (l->source.dims == 1)
        y = 0;
    if (y < d->first || y >= d->first + d->rows) {
        const size_t left = l->source.dims > 1 ? l->source.length[1] - y : 1;
        d->rows = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        d->first = y;
        TRY_RETURN(mw_buffer_read(l->to, y * row_bytes, d->rows * row_bytes, d->block, NULL));
    }
    for (size_t x = 0; x < d->width; x++)
        colours_of(&d->colours, (uint64_t)label_at(d->block + (y - d->first) * row_bytes, l->label_type, x),
                   (unsigned char *)rgb + 3 * x);
    return 0;
}

/* A one-dimensional mesh gives a strip; more than two dimensions give the first plane. */
static int draw(const struct label *l)
{
    const size_t width = l->source.count ? l->source.length[0] : 0;
    struct drawing d = { .l = l, .width = width };
    int rc;
    colours_begin(&d.colours, l->summary.largest_label);
    TRY(mw_new(width * BLOCK_ROWS, mw_type_bytes(l->label_type), &d.block));
    TRY(mw_png_write_rows(l->set->png, width, l->source.dims > 1 ? l->source.length[1] : STRIP_ROWS, draw_row, &d));
out:
    free(d.block);
    return rc;
}

/* ---- the pattern ---- */

static int save_pattern(const struct label *l)
{
    const struct mw_array *cells = &l->source;
    struct mw_array pixels = { 0 };
    size_t length[2];
    int rc;
    if (!text_ends_in(l->set->save_pattern, ".png"))
        return mw_array_save(l->set->save_pattern, cells);
    length[0] = cells->length[0];
    length[1] = cells->dims > 1 ? cells->length[1] : 1;
    TRY(mw_array_new(MW_TYPE_U8, 2, length, &pixels));
    for (size_t i = 0; i < pixels.count; i++)
        ((uint8_t *)pixels.data)[i] = ((const uint8_t *)cells->data)[i] ? 255 : 0;
    TRY(mw_png_write_pixels(l->set->save_pattern, &pixels, MW_PNG_GRAY));
out:
    mw_array_free(&pixels);
    return rc;
}

/* ---- the labels ---- */

struct npy_slices {
    struct mw_file *file;
    enum mw_type type;
};

static int label_write_append(void *context, size_t first, size_t count, const void *elements)
{
    const struct npy_slices *s = context;
    return mw_npy_append(s->file, s->type, elements, count);
}

/* Formats other than .npy need the whole array on the host. */
static int write_whole(const char *path, const struct mw_array *like, struct mw_buffer *buffer)
{
    struct mw_array array = { 0 };
    int rc;
    TRY(mw_array_new(like->type, like->dims, like->length, &array));
    if (array.count)
        TRY(mw_buffer_read(buffer, 0, array.count * mw_type_bytes(array.type), array.data, NULL));
    TRY(mw_array_save(path, &array));
out:
    mw_array_free(&array);
    return rc;
}

int label_write_buffer(const char *path, const struct mw_array *like, struct mw_buffer *buffer)
{
    struct npy_slices slices = { .type = like->type };
    int rc;
    if (strcmp(path, "-") != 0 && !text_ends_in(path, ".npy"))
        return write_whole(path, like, buffer);
    TRY(mw_npy_create(path, like, &slices.file));
    TRY(buffer_each_slice(buffer, like->count, mw_type_bytes(like->type), label_write_append, &slices));
    rc = mw_file_commit(slices.file);
    slices.file = NULL;
out:
    mw_file_abandon(slices.file);
    return rc;
}

static int write_labels(const struct label *l)
{
    struct mw_array like = l->source;
    like.type = l->label_type;
    like.data = NULL;
    return label_write_buffer(l->set->output, &like, l->to);
}

int label_write(void *task)
{
    struct label *l = task;
    if (l->set->save_pattern)
        TRY_RETURN(save_pattern(l));
    if (l->set->output)
        TRY_RETURN(write_labels(l));
    if (l->set->png)
        TRY_RETURN(draw(l));
    if (l->set->components)
        TRY_RETURN(label_write_components(l));
    if (l->set->cells)
        TRY_RETURN(label_write_cells(l));
    mw_buffer_free(l->to); /* the report needs only the sizes */
    l->to = NULL;
    return 0;
}
/* SPDX-License-Identifier: MIT */

/* Labels arrays in host memory, in one call. */
#include <string.h>

#include "io/array.h"
#include "label/label_internal.h"

int mw_label_sizes(struct mw_labelling *l, struct mw_buffer *labels, size_t count, struct mw_array *sizes)
{
    struct mw_components *components = NULL;
    struct mw_array made = { 0 };
    const uint32_t *known;
    int rc;
    TRY(mw_label_prim(l));
    TRY(mw_components_new(l->prim, labels, (size_t)l->lattice.cells, mw_labelling_type(l), count, &components));
    TRY(mw_array_new(MW_TYPE_U32, 1, &count, &made));
    TRY(mw_components_array(components, MW_COMPONENTS_SIZES, &known, &count));
    if (count > 0)
        memcpy(made.data, known, count * sizeof *known);
    *sizes = MW_PASS(made);
out:
    mw_array_free(&made);
    mw_components_free(components);
    return rc;
}

/* Labels values of the host on one device; both results may be NULL. */
static int label_whole(struct mw_labelling *l, const void *values, void *labels, struct mw_array *sizes,
                       size_t *components)
{
    const size_t cells = (size_t)l->lattice.cells, label = mw_type_bytes(mw_labelling_type(l));
    struct mw_buffer *from = NULL, *to = NULL;
    int rc;
    TRY(mw_buffer_new(l->device, cells * l->element_bytes, &from));
    TRY(mw_buffer_new(l->device, cells * label, &to));
    TRY(mw_buffer_write(from, 0, cells * l->element_bytes, values, NULL));
    TRY(mw_labelling_run(l, from, to, components, NULL));
    if (labels)
        TRY(mw_buffer_read(to, 0, cells * label, labels, NULL));
    if (sizes)
        TRY(mw_label_sizes(l, to, *components, sizes));
out:
    mw_buffer_free(from);
    mw_buffer_free(to);
    return rc;
}

int mw_label_array_within(struct mw_device *const *devices, size_t device_count, const struct mw_label_options *options,
                          const struct mw_label_limits *limits, const struct mw_array *array, bool into,
                          struct mw_array *labels, struct mw_array *sizes, size_t *components)
{
    struct mw_label_options o;
    struct mw_labelling *l = NULL;
    struct mw_array made = { 0 };
    void *data;
    size_t count;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_label_options, options, variant, &o));
    o.dims = array->dims;
    o.type = array->type;
    memcpy(o.length, array->length, sizeof o.length);
    TRY(mw_labelling_new_within(devices, device_count, &o, limits, &l));
    if (into)
        TRY(mw_array_check(labels, "labels", mw_labelling_type(l), array->dims, array->length));
    else if (labels)
        TRY(mw_array_new(mw_labelling_type(l), array->dims, array->length, &made));
    data = into ? labels->data : made.data;
    TRY((l->variant == &mw_label_parts ? mw_label_parts_array : label_whole)(l, array->data, data, sizes, &count));
    if (labels && !into)
        *labels = MW_PASS(made);
    if (components)
        *components = count;
out:
    mw_labelling_free(l);
    mw_array_free(&made);
    return rc;
}

int mw_label_array(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                   const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes, size_t *components)
{
    return mw_label_array_within(devices, count, options, NULL, array, false, labels, sizes, components);
}

int mw_label_array_into(struct mw_device *const *devices, size_t count, const struct mw_label_options *options,
                        const struct mw_array *array, struct mw_array *labels, struct mw_array *sizes,
                        size_t *components)
{
    return mw_label_array_within(devices, count, options, NULL, array, true, labels, sizes, components);
}

int mw_label_image(struct mw_device *const *devices, size_t count, const struct mw_array *image,
                   struct mw_array *labels, size_t *components)
{
    return mw_label_array(devices, count, NULL, image, labels, NULL, components);
}
/* SPDX-License-Identifier: MIT */

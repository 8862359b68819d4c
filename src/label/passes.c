/* Shared by variants for devices with work-groups: building kernels, values, roots. */
#include "label/label_internal.h"
#include "prim/prim_internal.h"
#include "prim/rounds.h"

struct mw_arg mw_label_values(const struct mw_labelling *labelling, struct mw_buffer *from)
{
    return labelling->image ? mw_arg_image(labelling->image) : mw_arg_buffer(from);
}

size_t mw_label_root_bytes(const struct mw_labelling *labelling) { return mw_lattice_index_bytes(&labelling->lattice); }

int mw_label_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots)
{
    size_t bytes;
    if (!mw_mul((size_t)labelling->lattice.cells, mw_label_root_bytes(labelling), &bytes))
        return mw_fail(MW_ELIMIT, "labels of the mesh exceed the address space");
    return mw_own_buffer(&labelling->owner, labelling->device, bytes, roots);
}

int mw_label_buffers(struct mw_labelling *labelling, const struct mw_label_need *needs, size_t n,
                     struct mw_buffer **buffers)
{
    for (size_t i = 0, bytes; i < n; i++) {
        if (!mw_mul(needs[i].count, needs[i].bytes, &bytes))
            return mw_fail(MW_ELIMIT, "the mesh exceeds the address space");
        TRY_RETURN(mw_own_buffer(&labelling->owner, labelling->device, bytes, &buffers[i]));
    }
    return 0;
}

int mw_label_own_roots_new(struct mw_labelling *labelling, struct mw_buffer **roots)
{
    const bool narrower = mw_label_root_bytes(labelling) < mw_type_bytes(mw_labelling_type(labelling));
    *roots = NULL;
    return narrower ? mw_label_roots_new(labelling, roots) : 0;
}

int mw_label_set_new(struct mw_labelling *labelling, const struct mw_kernel_list *list,
                     const struct mw_kernel_options *options, struct mw_kernel_set **set)
{
    struct mw_kernel_options o = { 0 };
    struct mw_text defines = { 0 };
    int rc;
    if (options)
        o = *options;
    if (o.takes == MW_GROUP_CHOSEN)
        o.takes = MW_GROUP_ANY;
    o.fp64 = labelling->options.type == MW_TYPE_F64 && !labelling->ordered;
    TRY(mw_label_defines(labelling, &defines));
    return mw_own_kernels_text(&labelling->owner, labelling->device, list, &o, &defines, set);
out:
    mw_text_free(&defines);
    return rc;
}

int mw_label_prim(struct mw_labelling *labelling)
{
    return labelling->prim ? 0 : mw_own_prim(&labelling->owner, labelling->device, &labelling->prim);
}

int mw_label_number(struct mw_labelling *labelling, struct mw_buffer *roots, struct mw_buffer *labels,
                    size_t *components)
{
    const bool wide_roots = mw_label_root_bytes(labelling) == sizeof(int64_t);
    TRY_RETURN(mw_label_prim(labelling));
    return mw_components_number(labelling->prim, roots, (size_t)labelling->lattice.cells,
                                wide_roots ? MW_TYPE_I64 : MW_TYPE_I32, labels, mw_labelling_type(labelling),
                                components);
}

/* SPDX-License-Identifier: MIT */

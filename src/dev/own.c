/* Buffers and kernels that an owner frees. */
#include "dev/own.h"

static void own_drop_buffer(void *buffer) { mw_buffer_free(buffer); }
static void own_drop_kernels(void *set) { mw_kernel_set_free(set); }

int mw_own_buffer(struct mw_owner *owner, struct mw_device *device, size_t bytes, struct mw_buffer **buffer)
{
    struct mw_buffer *made;
    TRY_RETURN(mw_buffer_new(device, bytes, &made));
    TRY_RETURN(mw_own(owner, made, own_drop_buffer));
    *buffer = made;
    return 0;
}

int mw_own_zeros(struct mw_owner *owner, struct mw_device *device, size_t bytes, struct mw_buffer **buffer)
{
    TRY_RETURN(mw_own_buffer(owner, device, bytes, buffer));
    return mw_buffer_fill(*buffer, 0, bytes, 0);
}

int mw_own_copy(struct mw_owner *owner, struct mw_device *device, size_t bytes, const void *from,
                struct mw_buffer **buffer)
{
    TRY_RETURN(mw_own_buffer(owner, device, bytes, buffer));
    return mw_buffer_write(*buffer, 0, bytes, from, NULL);
}

int mw_own_kernels(struct mw_owner *owner, struct mw_device *device, const struct mw_kernel_list *list,
                   const struct mw_kernel_options *options, struct mw_kernel_set **set)
{
    struct mw_kernel_set *made;
    TRY_RETURN(mw_kernel_set_new(device, list, options, &made));
    TRY_RETURN(mw_own(owner, made, own_drop_kernels));
    *set = made;
    return 0;
}

const char *mw_strict_atomics(const struct mw_device *device)
{
    return mw_device_info(device)->traits->strict_atomics ? "#define STRICT_ATOMICS 1\n" : "";
}

int mw_own_kernels_text(struct mw_owner *owner, struct mw_device *device, const struct mw_kernel_list *list,
                        const struct mw_kernel_options *options, struct mw_text *text, struct mw_kernel_set **set)
{
    struct mw_kernel_options o = *options;
    struct mw_text all = { 0 };
    int rc;
    mw_text_add(&all, "%s%s%s", mw_strict_atomics(device), o.defines ? o.defines : "", text->data ? text->data : "");
    TRY(mw_text_ok(text));
    TRY(mw_text_ok(&all));
    o.defines = all.data;
    TRY(mw_own_kernels(owner, device, list, &o, set));
out:
    mw_text_free(text);
    mw_text_free(&all);
    return rc;
}

int mw_buffer_reserve(struct mw_device *device, size_t bytes, struct mw_buffer **buffer)
{
    if (*buffer && mw_buffer_bytes(*buffer) >= bytes)
        return 0;
    mw_buffer_free(MW_PASS(*buffer));
    return mw_buffer_new(device, bytes, buffer);
}
/* SPDX-License-Identifier: MIT */

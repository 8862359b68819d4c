/* Objects of an image, with all defaults. */
#include <meshwork/label.h>

int mw_label_image(struct mw_device *device, const struct mw_array *image, struct mw_array *labels, size_t *components)
{
    const bool reals = image->type == MW_TYPE_F32 || image->type == MW_TYPE_F64;
    const struct mw_label_options options = { .size = sizeof options, .has_background = true,
                                              .join = reals ? MW_JOIN_THRESHOLD : MW_JOIN_EQUAL };
    return mw_label_array(device, &options, image, labels, NULL, components);
}
/* SPDX-License-Identifier: MIT */

/* Labels the objects of an image, with default options. */
#include <meshwork/label.h>

int mw_label_image(struct mw_device *device, const struct mw_array *image, struct mw_array *labels, size_t *components)
{
    return mw_label_array(device, NULL, image, labels, NULL, components);
}
/* SPDX-License-Identifier: MIT */

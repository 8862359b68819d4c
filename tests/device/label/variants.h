/* The variants of labelling that the device supports, from the library's table. */
#ifndef MW_TESTS_LABEL_VARIANTS
#define MW_TESTS_LABEL_VARIANTS

#include <meshwork/label.h>

#include "tests/device/device.h"

enum { VARIANTS_MOST = 32 };
struct variants {
    const char *name[VARIANTS_MOST];
    unsigned count;
};

static inline bool is_from_image(const char *variant)
{
    const char *end = strstr(variant, "-image");
    return end && !end[strlen("-image")];
}

static inline bool is_taken(const char *variant)
{
    const struct mw_label_options small = { .size = sizeof small,
                                            .variant = variant,
                                            .dims = 2,
                                            .length = { 2, 2 },
                                            .type = MW_TYPE_U8,
                                            .connectivity = MW_CONNECTIVITY_ALL };
    struct mw_labelling *labelling = NULL;
    const int rc = mw_labelling_new(&device, 1, &small, &labelling);
    mw_labelling_free(labelling);
    return rc != MW_ENOTSUP;
}

/* Lists the variants of a test. */
static inline void list_variants(struct variants *variants, bool (*wanted)(const char *variant))
{
    const struct mw_variant *row;
    for (size_t i = 0; variants->count < VARIANTS_MOST && (row = mw_label_variants(i)) != NULL; i++)
        if (wanted(row->name))
            variants->name[variants->count++] = row->name;
}

#endif
/* SPDX-License-Identifier: MIT */

/* Sizes by side of a threshold, from labels: the largest component above it, the largest of the others, and the cells
 * above. */
#include <stdlib.h>
#include <string.h>

#include "components/components_internal.h"
#include "label/label_internal.h"

int mw_label_sides(const struct mw_labelling *labelling, struct mw_components *components, struct mw_buffer *from,
                   struct mw_components_summary *summary)
{
    const size_t bytes = labelling->element_bytes, count = summary->components, words = (count + 63) / 64;
    const uint32_t *sizes;
    struct label_joining joining;
    unsigned char *elements = NULL;
    uint64_t *above = NULL;
    int64_t other = -1;
    int rc = 0;
    if (count == 0)
        goto out;
    TRY(mw_new(count, bytes, &elements));
    TRY(mw_new(words, sizeof *above, &above));
    TRY(mw_components_array(components, MW_COMPONENTS_SIZES, &sizes, &(size_t){ 0 }));
    TRY(mw_components_first_elements(components, from, bytes, elements));
    mw_label_joining(labelling, &joining);
    if (labelling->ordered) /* the host has double precision */
        memcpy(joining.value, &labelling->threshold.real, sizeof(double));
    joining.of->classify(elements, 0, (int64_t)count, joining.value, false, labelling->threshold.all, &other, above);
    for (size_t c = 0; c < count; c++) {
        const bool side = above[c / 64] >> c % 64 & 1;
        size_t *largest = side ? &summary->largest_above : &summary->largest_below;
        summary->cells_above += side ? sizes[c] : 0;
        *largest = sizes[c] > *largest ? sizes[c] : *largest;
    }
out:
    free(elements);
    free(above);
    return rc;
}
/* SPDX-License-Identifier: MIT */

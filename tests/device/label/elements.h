/* Arrays that a device gets for a mesh in host memory, and the expected results. */
#ifndef MW_TESTS_ELEMENTS_H
#define MW_TESTS_ELEMENTS_H

#include <meshwork/components.h>

#include "mesh.h"

/* Returns the summary of the expected labels. */
static struct mw_components_summary summary_of(const struct mesh *m)
{
    struct mw_components_summary s = { .size = sizeof s, .components = m->components };
    size_t *sizes = room(m->components + 1, sizeof *sizes);
    memset(sizes, 0, (m->components + 1) * sizeof *sizes);
    for (size_t k = 0; k < m->cells; k++)
        sizes[m->expected[k]]++;
    if (m->options.join == MW_JOIN_THRESHOLD)
        for (size_t k = 0; k < m->cells; k++) {
            size_t *side = m->value[k] > m->options.threshold ? &s.largest_above : &s.largest_below;
            s.cells_above += m->expected[k] && m->value[k] > m->options.threshold;
            if (m->expected[k] && sizes[m->expected[k]] > *side)
                *side = sizes[m->expected[k]];
        }
    for (size_t label = 1; label <= m->components; label++) {
        s.cells += sizes[label];
        if (sizes[label] > s.largest_size) {
            s.largest_size = sizes[label];
            s.largest_label = label;
        }
    }
    if (m->components > 0)
        s.mean_size = (double)s.cells / (double)m->components;
    free(sizes);
    return s;
}

/* Converts the values to the type of the labelling; the caller frees them. */
static void *as_elements(const struct mesh *m)
{
    const enum mw_type type = m->options.type;
    void *all = room(m->cells, mw_type_bytes(type));
    for (size_t k = 0; k < m->cells; k++) {
        const double v = m->value[k];
        switch (type) {
        case MW_TYPE_BOOL:
        case MW_TYPE_U8: ((uint8_t *)all)[k] = (uint8_t)v; break;
        case MW_TYPE_I8: ((int8_t *)all)[k] = (int8_t)v; break;
        case MW_TYPE_I16: ((int16_t *)all)[k] = (int16_t)v; break;
        case MW_TYPE_U16: ((uint16_t *)all)[k] = (uint16_t)v; break;
        case MW_TYPE_I32: ((int32_t *)all)[k] = (int32_t)v; break;
        case MW_TYPE_I64: ((int64_t *)all)[k] = (int64_t)v; break;
        case MW_TYPE_F64: ((double *)all)[k] = v; break;
        default: ((float *)all)[k] = (float)v;
        }
    }
    return all;
}

#endif
/* SPDX-License-Identifier: MIT */

/* Shared by the files of `meshwork graph components`. */
#ifndef TOOLS_COMPONENTS_H
#define TOOLS_COMPONENTS_H

#include <meshwork/components.h>
#include <meshwork/graph_components.h>

#include "tools/graph/course.h"

struct components_settings {
    struct course_settings course;
    const char *output, *output_format, *largest;
    bool strong, sizes;
};

struct grouping {
    struct course t;
    const struct components_settings *set;
    struct mw_graph_labelling *labelling; /* NULL: strong components */
    struct mw_graph_strong strong;
    const char *variant; /* the chosen variant */
    struct mw_prim *prim;
    struct mw_buffer *roots, *numbers; /* per vertex: the smallest vertex of its component; the component's number,
                                          * from 1 on */
    struct mw_components *components;
    struct mw_components_summary summary;
    struct mw_array labels; /* the roots, int32 */
    size_t largest_root, iterations;
    struct mw_memory_seconds memory;
};

/* Checks that the files of labels and of the largest component can be written: MW_EINVAL, MW_EIO. */
int grouping_check_outputs(const struct grouping *g);
/* Writes the requested files: `write` of struct course_kind. */
int grouping_write(void *course);
/* Compares the components with a union-find on the host: `verify` of struct course_kind.  MW_EVERIFY. */
int grouping_verify(void *course, struct mw_device *serial);
/* Compares the strong components with a depth-first search on the host: `verify` of struct course_kind.  MW_EVERIFY. */
int grouping_verify_strong(void *course, struct mw_device *serial);

#endif
/* SPDX-License-Identifier: MIT */

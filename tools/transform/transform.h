/* Shared by the files of `meshwork transform`: transform.c controls it, chain.c reads the arguments, report.c
 * prints. */
#ifndef TOOLS_TRANSFORM_H
#define TOOLS_TRANSFORM_H

#include <meshwork/io.h>
#include <meshwork/transform.h>

#include "tools/cli/memory.h"
#include "tools/cli/passes.h"
#include "tools/machine/team.h"

struct transform_settings {
    const char *output, *fill, *variant;
    struct size size;
    uint64_t repeat;
    bool inverse, in_place, verify, dry_run;
    struct device_settings device;
};

struct transform {
    struct workflow flow;
    const struct transform_settings *set;
    const char *const *ops;
    size_t op_count;
    const char *input;
    struct mw_text chain; /* the operations in one text */
    bool from_picture, to_picture;
    enum mw_png_kind kind; /* format of pixels read from a picture */
    struct mw_array source, result;
    struct mw_array channels; /* format of pixels in the written file */
    struct mw_map *map;
    struct size from, to;
    _Alignas(16) unsigned char fill[16]; /* a value of any element type */
    struct team team;                    /* source and result are on the first device */
    struct mw_transform *transform;
    struct passes passes;
    double build, upload, download; /* seconds */
};

/* Reads operands and input, and makes the map.  MW_EINVAL, MW_EDATA, or a status of the readers. */
int transform_prepare(void *task);

#endif
/* SPDX-License-Identifier: MIT */

/* Geometry of components: what geometry.c, its native kernels and the tests share. */
#ifndef MW_LABEL_GEOMETRY_INTERNAL_H
#define MW_LABEL_GEOMETRY_INTERNAL_H

#include <meshwork/label.h>

#include "base/base.h"

extern const struct mw_native_kernel mw_label_native_geometry[];

/* Cells of a part; 0: by the device (tests change it). */
extern size_t mw_geometry_part_cells;

#endif

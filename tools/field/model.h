/* Field options from the command line. */
#ifndef TOOLS_MODEL_H
#define TOOLS_MODEL_H

#include <meshwork/field.h>

#include "tools/cli/groups.h"

/* Sets the options of a field on a mesh; others become zero.  MW_EINVAL: the boundaries do not fit the size. */
int mesh_of_field(const struct mesh_settings *mesh, struct mw_field_options *field);

#endif
/* SPDX-License-Identifier: MIT */

/* Field equations by a user's words. */
#ifndef TOOLS_MODEL_H
#define TOOLS_MODEL_H

#include <meshwork/field.h>

#include "tools/cli/groups.h"

/* The options of a field on a mesh; all others are zero.  MW_EINVAL: boundaries that do not fit the size. */
int mesh_of_field(const struct mesh_settings *mesh, struct mw_field_options *field);

#endif
/* SPDX-License-Identifier: MIT */

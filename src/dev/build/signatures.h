/* What kernels take, read off a program's text: launches are checked against it, whatever a driver knows of types.
 *
 * resolve.c follows conditions, replaces macros and leaves declarations; types.c reads types and their sizes off them,
 * and interface.c takes prototypes apart.  What depends on something that only a compiler knows (its own macros, say)
 * is left out, so that all that is found is certain.  Internal. */
#ifndef MW_SIGNATURES_H
#define MW_SIGNATURES_H

#include "dev/backend.h"

/* Of the kernels of a flattened text of OpenCL C, those that are understood.  `label` names it in messages.
 * Errors: MW_ENOMEM; MW_EBUILD (a struct that has itself for a member: not every driver's compiler ends with it). */
int mw_signatures_read(const char *label, const char *text, struct mw_signatures *signatures);
void mw_signatures_free(struct mw_signatures *signatures);
/* NULL: not known. */
const struct mw_signature *mw_signature_find(const struct mw_signatures *signatures, const char *kernel);

/* resolve.c: appends the declarations of types and the prototypes of kernels, each a line that ends with a semicolon,
 * prototypes with a block without contents. */
int mw_resolve(const char *text, struct mw_text *declarations);

/* types.c: types by their names. */
struct mw_types;
int mw_types_new(struct mw_types **types);
void mw_types_free(struct mw_types *types);
/* Adds what a declaration names. */
int mw_types_declare(struct mw_types *types, const char *declaration);
/* What a parameter of a type takes; all 0 where that is not known. */
int mw_types_find(struct mw_types *types, const char *type, struct mw_parameter *parameter);

#endif
/* SPDX-License-Identifier: MIT */

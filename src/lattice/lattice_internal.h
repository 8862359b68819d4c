/* Lattices: what builders of programs need. */
#ifndef MW_LATTICE_INTERNAL_H
#define MW_LATTICE_INTERNAL_H

#include <meshwork/lattice.h>
#include <meshwork/program.h>

#include "base/base.h"

/* The macros by which cl/lattice.clh knows a lattice: INDEX_64 where k-indices need it, LATTICE_DIMS, LATTICE_CELLS,
 * LATTICE_EACH, LATTICE_POWERS.  LATTICE_BITS is left to who wants it.  A lattice without cells gets lengths of 1,
 * since compilers dislike divisions by 0 that no item will do.  Errors: MW_ENOMEM. */
int mw_lattice_macros(const struct mw_lattice *lattice, struct mw_text *macros);

/* The boundaries of a mesh with a call's default, `usual`, in place of MW_BOUNDARY_DEFAULT and of NULL.  `taken` may be
 * `given`.  Errors: MW_EINVAL (a number that no boundary has). */
int mw_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary usual, enum mw_boundary *taken);

/* The source of the program that fills a table of neighbours; its kernel is lattice_neighbours.  `defines` stays until
 * the program is built.  Errors: those of mw_neighbours_on_device for its arguments. */
int mw_neighbours_source(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                         enum mw_index_form form, struct mw_text *defines, struct mw_source *source);

#endif
/* SPDX-License-Identifier: MIT */

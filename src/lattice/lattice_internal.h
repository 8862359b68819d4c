/* Lattices: declarations for code that builds programs.  Internal. */
#ifndef MW_LATTICE_INTERNAL_H
#define MW_LATTICE_INTERNAL_H

#include <meshwork/lattice.h>
#include <meshwork/program.h>

#include "base/base.h"

/* Appends the macros that describe a lattice to cl/lattice.clh: INDEX_64 if k-indices need it, LATTICE_DIMS,
 * LATTICE_CELLS, LATTICE_EACH, LATTICE_POWERS.  The caller may add LATTICE_BITS.  A lattice without cells gets lengths
 * of 1, since compilers warn of divisions by 0.  Errors: MW_ENOMEM. */
int mw_lattice_macros(const struct mw_lattice *lattice, struct mw_text *macros);

/* Copies the boundaries of a mesh and replaces MW_BOUNDARY_DEFAULT, or NULL, by `usual`.  `taken` may be `given`.
 * Errors: MW_EINVAL (invalid boundary). */
int mw_boundaries_take(const enum mw_boundary *given, unsigned dims, enum mw_boundary usual, enum mw_boundary *taken);

/* Makes the source of the program that fills a table of neighbours, with kernel lattice_neighbours.  `defines` must
 * remain valid until the program is built.  Errors: those of mw_neighbours_on_device for its arguments. */
int mw_neighbours_source(const struct mw_lattice *lattice, enum mw_lattice_kind kind, const enum mw_boundary *boundary,
                         enum mw_index_form form, struct mw_text *defines, struct mw_source *source);

#endif
/* SPDX-License-Identifier: MIT */

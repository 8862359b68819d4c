/* PNG: what writing and reading share. */
#ifndef MW_PNG_INTERNAL_H
#define MW_PNG_INTERNAL_H

#define SIDE_MAX 1000000 /* libpng's readers refuse more unless told otherwise */
#define LACKS_MEMORY(message) (mw_find_word(message, "memory") != NULL) /* libpng has words alone */
#define WITHOUT_LIBPNG "meshwork was built without libpng; install libpng-dev and build again"

#endif
/* SPDX-License-Identifier: MIT */

/* PNG: definitions shared by writing and reading.  Internal. */
#ifndef MW_PNG_INTERNAL_H
#define MW_PNG_INTERNAL_H

#define SIDE_MAX 1000000 /* libpng's readers refuse larger sides by default */
#define LACKS_MEMORY(message) (mw_find_word(message, "memory") != NULL) /* libpng has no error codes */
#define WITHOUT_LIBPNG "meshwork was built without libpng (install libpng-dev and build it again)"

#endif
/* SPDX-License-Identifier: MIT */

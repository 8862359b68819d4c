/* Parses one array element. */
#ifndef TOOLS_ELEMENT_H
#define TOOLS_ELEMENT_H

#include <stdbool.h>

#include <meshwork/io.h>

/* Stores the bytes of one element: a number of `type`, or with `colour` a pixel from a colour or a gray value.
 * MW_EINVAL: the text is neither. */
int element_parse(const char *text, enum mw_type type, bool colour, void *element);

#endif
/* SPDX-License-Identifier: MIT */

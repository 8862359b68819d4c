/* Table cells that a spreadsheet would evaluate as formulas.  Internal; the command includes it as well. */
#ifndef MW_BASE_FORMULA_H
#define MW_BASE_FORMULA_H

#include "base/ascii.h"

/* Returns whether a name begins with = + - @, a tab or a carriage return and is not a number.  Tables quote such a name
 * and put an apostrophe before it, as OWASP advises.  Names that already begin so are marked as well. */
static inline bool mw_is_formula(const char *name)
{
    const char *at = name + strspn(name, "'");
    size_t digits;
    if (!*at || !strchr("=+-@\t\r", *at))
        return false;
    if (at > name || (*at != '+' && *at != '-'))
        return true;
    digits = strspn(++at, "0123456789.");
    if (digits > 0 && (at[digits] == 'e' || at[digits] == 'E'))
        digits += 1 + (at[digits + 1] == '+' || at[digits + 1] == '-');
    at += digits;
    return digits == 0 || at[strspn(at, "0123456789")] != '\0';
}

#endif
/* SPDX-License-Identifier: MIT */

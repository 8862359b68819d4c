/* Names in tables of text that a spreadsheet would compute.  Internal; the command includes it as well. */
#ifndef MW_BASE_FORMULA_H
#define MW_BASE_FORMULA_H

#include "base/ascii.h"

/* Whether a name begins with one of = + - @, a tab or a carriage return, and is no number.  Tables have such a name in
 * quotes after an apostrophe, as OWASP advises; and so those that look marked: apostrophes and then one of these. */
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

/* Fields: the distance of cells, from --spacing, or from the lengths of the mesh (--length). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/field/field.h"

/* Reads positive numbers, with a comma or, for lengths, an x between them. */
static int read_numbers(const char *option, const char *text, double number[MW_DIMS_MAX], unsigned *count)
{
    const bool lengths = strcmp(option, "--length") == 0;
    *count = 0;
    for (const char *at = text;; at++) {
        char *end;
        const double value = strtod(at, &end);
        const bool hexadecimal = at + strcspn(at, "xX") < end;
        const bool between = *end == ',' || (lengths && (*end == 'x' || *end == 'X'));
        if (end == at || hexadecimal || !(value > 0) || !isfinite(value) || (*end && !between) || *count == MW_DIMS_MAX)
            return mw_fail(MW_EINVAL, "%s %s: expected a positive number, or one per dimension%s", option, text,
                           lengths ? ", as in 100x50" : ", as in 0.5,0.25");
        number[(*count)++] = value;
        if (!*end)
            return 0;
        at = end;
    }
}

/* Reads one number for all dimensions, or one for each. */
static int read_each(const char *option, const char *text, unsigned dims, double number[MW_DIMS_MAX])
{
    unsigned count;
    TRY_RETURN(read_numbers(option, text, number, &count));
    if (count != 1 && count != dims)
        return mw_fail(MW_EINVAL, "%s %s: expected a positive number, or one for each of %u dimensions", option, text,
                       dims);
    for (unsigned d = count; d < dims; d++)
        number[d] = number[0];
    return 0;
}

int field_size_by_length(struct run *r)
{
    struct field_run *own = r->own;
    double length[MW_DIMS_MAX], spacing[MW_DIMS_MAX];
    struct size size = { 0 };
    if (!own->set->length || !option_is_given(r->command, "spacing"))
        return 0;
    if (option_is_given(r->command, "size") || r->set->input)
        return mw_fail(MW_EINVAL, "%s, --spacing and --length exclude each other: give two of them",
                       r->set->input ? "--input" : "--size");
    TRY_RETURN(read_numbers("--length", own->set->length, length, &size.dims));
    TRY_RETURN(read_each("--spacing", own->set->spacing, size.dims, spacing));
    for (unsigned d = 0; d < size.dims; d++) {
        const double cells = length[d] / spacing[d], whole = fmax(round(cells), 1);
        if (!(cells < 9e15))
            return mw_fail(MW_ELIMIT, "--length %g with --spacing %g has too many cells", length[d], spacing[d]);
        if (fabs(cells - whole) > 1e-9 * whole)
            return mw_fail(MW_EINVAL,
                           "--length %g is not a multiple of --spacing %g: the nearest length is %.9g, the nearest "
                           "spacing %.9g",
                           length[d], spacing[d], whole * spacing[d], length[d] / whole);
        size.length[d] = (size_t)whole;
    }
    r->set->mesh.size = size;
    own->sized = true;
    return 0;
}

int field_take_spacing(struct run *r)
{
    struct field_run *own = r->own;
    struct mw_field_options *o = &own->options;
    const bool by_length = own->set->length && !option_is_given(r->command, "spacing");
    struct mw_text text = { 0 };
    bool equal = true;
    for (unsigned d = 0; d < o->dims; d++)
        o->spacing[d] = 1;
    if (by_length)
        TRY_RETURN(read_each("--length", own->set->length, o->dims, o->spacing));
    else if (own->set->spacing)
        TRY_RETURN(read_each("--spacing", own->set->spacing, o->dims, o->spacing));
    else
        return 0;
    for (unsigned d = 0; d < o->dims; d++) {
        o->spacing[d] /= by_length ? (double)o->length[d] : 1;
        equal = equal && o->spacing[d] == o->spacing[0];
    }
    if (!by_length)
        return mw_strdup(own->set->spacing, &own->spacing);
    for (unsigned d = 0; d < (equal ? 1 : o->dims); d++)
        mw_text_add(&text, "%s%s", d ? "," : "", real_text(o->spacing[d]).text);
    TRY_RETURN(mw_text_ok(&text));
    own->spacing = text.data;
    return 0;
}
/* SPDX-License-Identifier: MIT */

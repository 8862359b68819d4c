/* meshwork label: reads the input, and determines the joining rule from its type. */
#include <math.h>

#include "tools/cli/groups.h"
#include "tools/cli/names.h"
#include "tools/label/label.h"
#include "tools/report/files.h"

/* Parses a finite number that is at least `least`. */
static int parse_real(const char *option, const char *text, double least, double most, double *value)
{
    char *end;
    const double v = strtod(text, &end);
    if (end == text || *end || mw_is_space(*text) || !isfinite(v))
        return mw_fail(MW_EINVAL, "%s: '%s' is not a number", option, text);
    if (v < least || v > most)
        return mw_fail(MW_EINVAL, "%s: '%s' is out of range: must be at least %g%s", option, text, least,
                       most < INFINITY ? " and at most 1" : "");
    *value = v;
    return 0;
}

/* ---- patterns ---- */

static int find_pattern(const char *name, const struct pattern **found)
{
    struct nearest nearest = { .word = name };
    for (const struct pattern *p = patterns; p->name; p++) {
        if (!strcmp(name, p->name)) {
            *found = p;
            return 0;
        }
        nearest_offer(&nearest, p->name);
    }
    return mw_fail(MW_EINVAL, "--pattern: unknown pattern '%s': %s", name,
                   nearest_advice(&nearest, "must be spiral, random or domains").text);
}

static int make_pattern(struct label *l)
{
    static const struct size usual = { 2, { 512, 512 } };
    const struct label_settings *set = l->set;
    const struct size *size = set->size.dims ? &set->size : &usual;
    const struct pattern *pattern = NULL;
    l->density = 0.5;
    TRY_RETURN(find_pattern(set->pattern, &pattern));
    if (set->type || option_is_given(l->flow.command, "offset"))
        return mw_fail(MW_EINVAL, "--%s requires a file of raw elements: a pattern is uint8",
                       set->type ? "type" : "offset");
    if (!pattern->has_density && (set->density || option_is_given(l->flow.command, "seed")))
        return mw_fail(MW_EINVAL, "--pattern %s has no random numbers: leave out --%s", pattern->name,
                       set->density ? "density" : "seed");
    if (set->density)
        TRY_RETURN(parse_real("--density", set->density, 0, 1, &l->density));
    TRY_RETURN(mw_array_new(MW_TYPE_U8, size->dims, size->length, &l->source));
    TRY_RETURN(pattern->make(&l->source, l->density, set->seed));
    l->pattern = pattern;
    l->reading_bytes = l->source.count * (1 + pattern->cell_bytes);
    return 0;
}

/* ---- files ---- */

static int check_cells(const struct label *l)
{
    const struct mw_array *a = &l->source;
    if (a->type == MW_TYPE_C64 || a->type == MW_TYPE_C128)
        return mw_fail(MW_EDATA,
                       "%s has type %s, but labels need integers, booleans or reals: take the real part or the "
                       "absolute value",
                       l->input, mw_type_name(a->type));
    if (a->dims == 0)
        return mw_fail(MW_EINVAL, "%s has a single number, which has no components", l->input);
    return 0;
}

int label_read(struct label *l, const struct words *operands)
{
    static const char *const only_pattern[] = { "seed", "density", "save-pattern" };
    if (l->set->pattern) {
        if (operands->count)
            return mw_fail(MW_EINVAL, "--pattern %s replaces a file: leave out '%s'", l->set->pattern,
                           operands->item[0]);
        return make_pattern(l);
    }
    if (operands->count == 0)
        return mw_fail(MW_EINVAL, "missing operand: meshwork label FILE, or --pattern spiral|random|domains");
    for (size_t i = 0; i < MW_COUNT(only_pattern); i++)
        if (option_is_given(l->flow.command, only_pattern[i]))
            return mw_fail(MW_EINVAL, "--%s requires --pattern: leave it out", only_pattern[i]);
    l->input = operands->item[0];
    TRY_RETURN(file_stays(l->input));
    TRY_RETURN(label_read_file(l));
    TRY_RETURN(check_cells(l));
    if (l->reading_bytes < l->source.count * mw_type_bytes(l->source.type))
        l->reading_bytes = l->source.count * mw_type_bytes(l->source.type);
    return 0;
}

/* ---- the joining rule ---- */

static int64_t whole(enum mw_type type, const void *element)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    uint16_t u16;
    uint32_t u32;
    switch (type) {
    case MW_TYPE_I8: memcpy(&i8, element, sizeof(i8)); return i8;
    case MW_TYPE_I16: memcpy(&i16, element, sizeof(i16)); return i16;
    case MW_TYPE_U16: memcpy(&u16, element, sizeof(u16)); return u16;
    case MW_TYPE_I32: memcpy(&i32, element, sizeof(i32)); return i32;
    case MW_TYPE_U32: memcpy(&u32, element, sizeof(u32)); return u32;
    case MW_TYPE_I64:
    case MW_TYPE_U64: memcpy(&i64, element, sizeof(i64)); return i64;
    default: return *(const uint8_t *)element;
    }
}

/* Parses --background VALUE as an element of the source. */
static int parse_background(struct label *l, const char *text)
{
    const enum mw_type type = l->source.type;
    const size_t bytes = mw_type_bytes(type);
    int rc;
    if (l->options.join != MW_JOIN_EQUAL)
        return mw_fail(MW_EINVAL,
                       "--background: cells joined by %s have no background value: give none, or leave it out",
                       l->options.join == MW_JOIN_THRESHOLD ? "threshold" : "tolerance");
    if ((rc = element_parse(text, type, l->is_colour, l->background)) != 0)
        return mw_fail_in(rc, "--background");
    for (size_t b = bytes - bytes / 4; l->is_colour && b < bytes; b++)
        l->background[b] = (unsigned char)~l->background[b];
    l->options.background = whole(type, l->background);
    if (type == MW_TYPE_U64 && l->options.background < 0)
        return mw_fail(MW_EINVAL, "--background: '%s' is out of range: the maximum for uint64 is 2^63 - 1", text);
    return 0;
}

static int parse_join(struct label *l)
{
    const struct label_settings *set = l->set;
    struct mw_label_options *o = &l->options;
    const bool is_real = o->type == MW_TYPE_F32 || o->type == MW_TYPE_F64;
    if (set->threshold && set->tolerance)
        return mw_fail(MW_EINVAL, "--threshold and --tolerance exclude each other: give one of them");
    if (l->is_colour && (set->threshold || set->tolerance))
        return mw_fail(MW_EINVAL, "--%s: colours have no order: convert %s to gray",
                       set->threshold ? "threshold" : "tolerance", l->input);
    o->join = set->tolerance ? MW_JOIN_TOLERANCE : set->threshold || is_real ? MW_JOIN_THRESHOLD : MW_JOIN_EQUAL;
    o->no_background = o->join == MW_JOIN_TOLERANCE;
    if (set->threshold)
        TRY_RETURN(parse_real("--threshold", set->threshold, -INFINITY, INFINITY, &o->threshold));
    if (set->tolerance)
        TRY_RETURN(parse_real("--tolerance", set->tolerance, 0, INFINITY, &o->tolerance));
    if (set->background && !strcmp(set->background, "none"))
        o->no_background = true;
    else if (set->background)
        TRY_RETURN(parse_background(l, set->background));
    return 0;
}

/* Parses "all", "none", or comma-separated dimensions by letter or number. */
static int parse_periodic(const char *text, unsigned dims, enum mw_boundary *boundary)
{
    static const char letters[] = "xyz";
    const char *letter;
    if (!strcmp(text, "none"))
        return 0;
    for (unsigned i = 0; i < dims && !strcmp(text, "all"); i++)
        boundary[i] = MW_BOUNDARY_PERIODIC;
    if (!strcmp(text, "all"))
        return 0;
    for (const char *at = text;; at += 2) {
        const bool is_one = *at && (!at[1] || at[1] == ',');
        letter = is_one ? strchr(letters, *at) : NULL;
        const unsigned dim = letter ? (unsigned)(letter - letters) : (unsigned)(*at - '0');
        if (!is_one || dim >= MW_DIMS_MAX)
            return mw_fail(MW_EINVAL,
                           "--periodic: '%s' is invalid: expected all, none, or dimensions such as x,y or 0,1", text);
        if (dim >= dims)
            return mw_fail(MW_EINVAL, "--periodic: '%c' is not a dimension of this mesh, which has %u", *at, dims);
        boundary[dim] = MW_BOUNDARY_PERIODIC;
        if (!at[1])
            return 0;
    }
}

int label_options_from(struct label *l)
{
    const struct label_settings *set = l->set;
    struct mw_label_options *o = &l->options;
    o->size = sizeof *o;
    o->dims = l->source.dims;
    memcpy(o->length, l->source.length, sizeof(o->length));
    o->type = l->source.type;
    o->lattice = (enum mw_lattice_kind)set->lattice;
    o->connectivity = (enum mw_connectivity)set->connectivity;
    o->wide = set->wide;
    o->variant = set->variant;
    if (o->lattice != MW_LATTICE_HYPERCUBIC && option_is_given(l->flow.command, "connectivity"))
        return mw_fail(MW_EINVAL, "--lattice %s determines the neighbours: leave out --connectivity",
                       mw_lattice_kind_name(o->lattice));
    if (set->max_size && set->min_size > set->max_size)
        return mw_fail(MW_EINVAL, "--min-size exceeds --max-size: no component would be left");
    TRY_RETURN(parse_join(l));
    label_clear_pixels(l);
    if (set->periodic)
        TRY_RETURN(parse_periodic(set->periodic, o->dims, o->boundary));
    return 0;
}

/* ---- nearly equal neighbours, as in scans with near-white paper ---- */

#define LOOKED_AT ((size_t)1 << 22) /* cells */
#define STEP 2                      /* in units of 1 / 255 */
#define FEW 100                     /* fewer pairs are not significant */

/* Returns the largest difference of a channel, scaled to 255. */
static int difference(const unsigned char *a, const unsigned char *b, size_t channels, size_t bytes)
{
    int most = 0;
    for (size_t c = 0; c < channels; c++) {
        uint16_t wide[2] = { a[c], b[c] };
        if (bytes == 2) {
            memcpy(&wide[0], a + 2 * c, 2);
            memcpy(&wide[1], b + 2 * c, 2);
        }
        const int d = abs((int)wide[0] - (int)wide[1]) * (bytes == 2 ? 255 : 65535) / 65535;
        most = d > most ? d : most;
    }
    return most;
}

void label_note_near(const struct label *l)
{
    const struct mw_array *a = &l->source;
    const size_t channels = l->is_colour ? 4 : 1, bytes = mw_type_bytes(a->type) / channels;
    const size_t cells = a->count < LOOKED_AT ? a->count : LOOKED_AT;
    const unsigned char *p = a->data;
    size_t differing = 0, near = 0;

    if (!l->is_picture || l->options.join != MW_JOIN_EQUAL || bytes > 2)
        return;
    for (size_t i = 1; i < cells; i++) {
        const unsigned char *here = p + i * channels * bytes, *before = here - channels * bytes;
        if (i % a->length[0] == 0 || !memcmp(here, before, channels * bytes))
            continue;
        differing++;
        near += difference(here, before, channels, bytes) <= STEP;
    }
    if (near > FEW && near > differing / 2)
        report_note("%s: equal values are joined, but most differing neighbours differ by %d of 255 or less: "
                    "%s--threshold X joins values above X",
                    l->input, STEP, l->is_colour ? "convert it to gray; " : "");
}
/* SPDX-License-Identifier: MIT */

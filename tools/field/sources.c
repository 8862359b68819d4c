/* Fields: starts (--start) and maps (-p) of single fields, from expressions, arrays and pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <meshwork/io.h>

#include "tools/cli/names.h"
#include "tools/field/field.h"
#include "tools/report/files.h"

/* ---- files ---- */

/* Returns element i of an array of real type. */
static double element(const struct mw_array *a, size_t i)
{
    switch (a->type) {
    case MW_TYPE_U8: return ((const uint8_t *)a->data)[i];
    case MW_TYPE_I8: return ((const int8_t *)a->data)[i];
    case MW_TYPE_U16: return ((const uint16_t *)a->data)[i];
    case MW_TYPE_I16: return ((const int16_t *)a->data)[i];
    case MW_TYPE_U32: return ((const uint32_t *)a->data)[i];
    case MW_TYPE_I32: return ((const int32_t *)a->data)[i];
    case MW_TYPE_U64: return (double)((const uint64_t *)a->data)[i];
    case MW_TYPE_I64: return (double)((const int64_t *)a->data)[i];
    case MW_TYPE_F32: return ((const float *)a->data)[i];
    default: return ((const double *)a->data)[i];
    }
}

static bool is_complex(const struct mw_array *a) { return a->type == MW_TYPE_C64 || a->type == MW_TYPE_C128; }

/* Converts an array to float64: part 0 or 1 of complex elements; part 1 of real ones is 0. */
static int to_reals(const struct mw_array *a, size_t part, struct mw_array *reals)
{
    struct mw_array numbers = *a;
    TRY_RETURN(mw_array_new(MW_TYPE_F64, a->dims, a->length, reals));
    if (is_complex(a))
        numbers.type = a->type == MW_TYPE_C64 ? MW_TYPE_F32 : MW_TYPE_F64;
    for (size_t i = 0; i < a->count; i++)
        if (is_complex(a) || part == 0)
            ((double *)reals->data)[i] = element(&numbers, is_complex(a) ? 2 * i + part : i);
    return 0;
}

bool field_is_picture(const char *path)
{
    const struct mw_array_format *format;
    return mw_array_format_find(path, false, &format) == 0 && format->is_picture;
}

/* Returns the brightness of a pixel from 0 to 1; for colours with the weights of Rec.  601. */
static double brightness(const struct mw_array *channels, unsigned per_pixel, size_t pixel)
{
    static const double weights[] = { 0.299, 0.587, 0.114 };
    const double most = channels->type == MW_TYPE_U16 ? 65535 : 255;
    double sum = 0;
    for (size_t c = 0; c < (per_pixel < 3 ? 1 : 3); c++) {
        const double v = element(channels, pixel * per_pixel + c) / most;
        sum += per_pixel < 3 ? v : weights[c] * v;
    }
    return sum;
}

int field_read_picture(const char *path, const char *range, struct mw_array *values)
{
    struct mw_array pixels = { 0 }, channels = { 0 };
    enum mw_png_kind kind = MW_PNG_GRAY;
    double lo = 0, hi = 0;
    int rc;
    if (!text_range(range, &lo, &hi))
        TRY(mw_fail(MW_EINVAL, "--input-range: '%s': expected BLACK,WHITE, as in -1,1", range));
    TRY(mw_array_load_pixels(path, NULL, &pixels, &kind));
    TRY(mw_png_to_channels(&pixels, kind, &channels));
    TRY(mw_array_new(MW_TYPE_F64, 2, pixels.length, values));
    for (size_t i = 0; i < values->count; i++) {
        const double t = brightness(&channels, (unsigned)(channels.count / pixels.count), i);
        ((double *)values->data)[i] = lo * (1 - t) + hi * t; /* exact at both ends */
    }
out:
    mw_array_free(&channels);
    mw_array_free(&pixels);
    return rc;
}

/* Colours of formats that also hold numbers have no value. */
static int read_array(const char *path, struct mw_array *array)
{
    enum mw_png_kind kind;
    TRY_RETURN(mw_array_load_pixels(path, NULL, array, &kind));
    return kind == MW_PNG_GRAY
               ? 0
               : mw_fail(MW_EDATA, "%s has colours, which are not numbers: convert it to .png or to gray", path);
}

/* Reads FILE, or PICTURE:BLACK,WHITE, and sets source->path to the name of the file. */
static int read_file(struct run *r, const char *text, struct field_source *source, struct mw_array *array)
{
    struct field_run *own = r->own;
    const char *colon = strrchr(text, ':'), *range = own->set->input_range;
    TRY_RETURN(mw_strdup(text, &source->path));
    if (colon && strchr(colon, ',') && !field_is_picture(text)) {
        source->path[colon - text] = 0;
        range = colon + 1;
        if (!field_is_picture(source->path))
            return mw_fail(MW_EINVAL, "%s: BLACK,WHITE requires a picture", text);
    }
    TRY_RETURN(file_stays(source->path));
    own->pictured = own->pictured || field_is_picture(source->path);
    return field_is_picture(source->path) ? field_read_picture(source->path, range, array)
                                          : read_array(source->path, array);
}

/* ---- words of the command line ---- */

static int add_source(struct field_run *own, const char *name, bool is_map, struct field_source **source)
{
    for (size_t i = 0; i < own->source_count; i++)
        if (!strcmp(own->sources[i].name, name))
            return mw_fail(MW_EINVAL, "%s %s is given twice: give it once", is_map ? "map" : "the start of", name);
    TRY_RETURN(mw_grow(own->source_count, sizeof(*own->sources), &own->sources));
    *source = &own->sources[own->source_count++];
    **source = (struct field_source){ .is_map = is_map };
    mw_copy_string((*source)->name, sizeof((*source)->name), name);
    return 0;
}

/* Checks that an array has the lengths of the mesh, and perhaps the systems.  Without --size the mesh takes its
 * lengths. */
static int take_lengths(struct run *r, const char *path, const struct mw_array *a)
{
    const struct field_run *own = r->own;
    const struct size *size = &r->set->mesh.size;
    const bool sized = option_is_given(r->command, "size") || own->sized || r->resume.from || own->input.data;
    const bool all = own->systems > 1 && a->dims > 1 && a->length[a->dims - 1] == own->systems &&
                     (!sized || a->dims == size->dims + 1);
    struct size lengths = { .dims = a->dims - all };
    memcpy(lengths.length, a->length, lengths.dims * sizeof(*a->length));
    if (!sized)
        return input_lengths(r, lengths.dims, lengths.length);
    if (lengths.dims != size->dims || memcmp(lengths.length, size->length, size->dims * sizeof(*a->length)) != 0)
        return mw_fail(MW_EINVAL, "%s has %s values, the mesh has %s cells: give a file of that size, or --size %s",
                       path, size_text(&lengths, " x ").text, size_text(size, " x ").text,
                       size_text(&lengths, "x").text);
    return 0;
}

/* Adds the array of a file; of a complex field, both parts. */
static int add_file(struct run *r, const char *name, bool is_map, const char *text)
{
    struct field_run *own = r->own;
    struct field_source file = { .path = NULL }, *source;
    struct mw_array array = { 0 };
    char part_name[64];
    const int pair = field_find_complex(own->info, name);
    int rc;
    TRY(read_file(r, text, &file, &array));
    if (array.dims == 0 || (is_complex(&array) && pair < 0)) {
        rc = mw_fail(MW_EDATA, "%s has %s: %s %s needs real values for all cells", file.path,
                     array.dims ? mw_type_name(array.type) : "one number", is_map ? "map" : "field", name);
        goto out;
    }
    TRY(take_lengths(r, file.path, &array));
    own->sized = true;
    for (size_t part = 0; part <= (pair >= 0); part++) {
        snprintf(part_name, sizeof(part_name), "%s%s", name, pair < 0 ? "" : part ? "_im" : "_re");
        TRY(add_source(own, part_name, is_map, &source));
        TRY(to_reals(&array, part, &source->array));
        TRY(mw_strdup(file.path, &source->path));
        const size_t bad = mw_values_not_finite(source->array.data, true, source->array.count);
        if (bad < source->array.count) {
            rc = mw_fail(MW_EDATA, "%s has values that are not finite, the first at %s: %s %s must be finite",
                         file.path, cell_text(r, bad).text, is_map ? "map" : "field", name);
            goto out;
        }
    }
out:
    mw_array_free(&array);
    free(file.path);
    return rc;
}

/* Adds @FILE, or an expression, after the = of a word. */
static int add_word(struct run *r, const char *name, bool is_map, const char *text)
{
    struct field_source *source;
    if (text[0] == '@')
        return add_file(r, name, is_map, text + 1);
    if (!text[0] || strpbrk(text, ";\"\n\r") || strstr(text, "//") || strstr(text, "/*"))
        return mw_fail(MW_EINVAL, "%s=%s: expected an expression or @FILE", name,
                       mw_excerpt(text, strlen(text), 0).text);
    TRY_RETURN(add_source(r->own, name, is_map, &source));
    return mw_strdup(text, &source->text);
}

/* Moves the words of maps from the parameters to the sources. */
static int take_maps(struct run *r)
{
    const struct field_run *own = r->own;
    struct words *words = &r->set->params;
    for (size_t m = 0; m < own->info->map_count; m++) {
        const char *name = own->info->maps[m].name;
        const char *theirs =
            r->resume.from ? mw_checkpoint_setting(r->resume.from, field_map_setting(name).text) : NULL;
        const char *last = theirs && strcmp(theirs, FIELD_MAP_DEFAULT) && !field_map_is_kept(theirs) ? theirs : NULL;
        size_t kept = 0;
        for (size_t i = 0; i < words->count; i++) {
            char given[64];
            const char *text;
            if (parameter_split(words->item[i], given, &text) == 0 && !strcmp(given, name))
                last = text;
            else
                words->item[kept++] = words->item[i];
        }
        words->count = kept;
        if (last)
            TRY_RETURN(add_word(r, name, true, last));
    }
    return 0;
}

static int no_such_field(const struct field_run *own, const char *option, const char *name)
{
    struct nearest nearest = { .word = name };
    for (size_t i = 0; i < own->info->field_count; i++)
        nearest_offer(&nearest, own->info->fields[i].name);
    return mw_fail(MW_EINVAL, "%s: model %s has no field '%.40s': %s", option, own->info->name, name,
                   nearest_advice(&nearest, "`meshwork models NAME` lists its fields").text);
}

/* Splits FIELD=TEXT.  For a complex field, *field is the real part, and *parts is 2. */
static int split_word(const struct run *r, const char *option, const char *word, char name[64], const char **text,
                      size_t *field, size_t *parts)
{
    const struct field_run *own = r->own;
    TRY_RETURN(parameter_split(word, name, text));
    const int pair = field_find_complex(own->info, name);
    *parts = pair >= 0 ? 2 : 1;
    *field = pair >= 0 ? (size_t)pair : 0;
    while (pair < 0 && *field < own->info->field_count && strcmp(own->info->fields[*field].name, name))
        ++*field;
    return *field < own->info->field_count ? 0 : no_such_field(own, option, name);
}

static int take_starts(struct run *r)
{
    char name[64];
    const char *text;
    size_t field, parts;
    for (size_t i = 0; i < r->set->starts.count; i++) {
        TRY_RETURN(split_word(r, "--start", r->set->starts.item[i], name, &text, &field, &parts));
        TRY_RETURN(add_word(r, name, false, text));
    }
    return 0;
}

int field_take_seeds(struct run *r)
{
    struct field_run *own = r->own;
    const struct words *words = &r->set->seeds;
    char name[64];
    const char *text;
    size_t field, parts;
    uint64_t seed = 0;
    int rc;
    if (!words->count)
        return 0;
    if (r->resume.from)
        return mw_fail(MW_EINVAL, "--seed %s sets a start, and excludes --restart: leave it out", words->item[0]);
    TRY_RETURN(mw_new(own->info->field_count, sizeof(*own->seeds), &own->seeds));
    for (size_t i = 0; i < own->info->field_count; i++)
        own->seeds[i] = r->set->seed;
    for (size_t i = 0; i < words->count; i++) {
        TRY_RETURN(split_word(r, "--seed", words->item[i], name, &text, &field, &parts));
        if ((rc = value_count(text, 0, 0, &seed)) != 0)
            return mw_fail_in(rc, "--seed");
        for (size_t part = 0; part < parts; part++)
            own->seeds[field + part] = seed;
    }
    return 0;
}

int field_find_complex(const struct mw_model_info *info, const char *name)
{
    for (size_t i = 0; i < info->field_count; i++)
        if (info->fields[i].part == MW_COMPLEX_PART_REAL && !strncmp(info->fields[i].name, name, strlen(name)) &&
            !strcmp(info->fields[i].name + strlen(name), "_re"))
            return (int)i;
    return -1;
}

int field_take_sources(struct run *r)
{
    struct field_run *own = r->own;
    struct mw_text text = { 0 };
    char **definitions = NULL;
    size_t count = 0;
    int rc;
    TRY(take_maps(r));
    TRY(take_starts(r));
    if (option_is_given(r->command, "input-range") && !r->set->input && !own->pictured) {
        rc = mw_fail(MW_EINVAL, "--input-range requires a picture, as --input, --start or a map");
        goto out;
    }
    TRY(mw_new(own->source_count + 1, sizeof(*definitions), &definitions));
    for (size_t i = 0; i < own->source_count; i++) {
        const struct field_source *s = &own->sources[i];
        if (!s->text)
            continue;
        mw_text_add(&text, "%s(%s) = %s", s->is_map ? "map" : "start", s->name, s->text);
        TRY(mw_text_ok(&text));
        definitions[count++] = text.data;
        text = (struct mw_text){ 0 };
    }
    own->simulated = own->model;
    if (count)
        TRY(mw_model_extend(own->model, (const char *const *)definitions, count, NULL, 0, &own->simulated));
out:
    for (size_t i = 0; i < count; i++)
        free(definitions[i]);
    free(definitions);
    mw_text_free(&text);
    return rc;
}

void field_free_sources(struct field_run *own)
{
    for (size_t i = 0; i < own->source_count; i++) {
        free(own->sources[i].text);
        free(own->sources[i].path);
        mw_array_free(&own->sources[i].array);
    }
    free(own->sources);
    if (own->simulated != own->model)
        mw_model_free(own->simulated);
}

int field_set_sources(const struct field_run *own, bool starts)
{
    for (size_t i = 0; i < own->source_count; i++)
        if (own->sources[i].array.data && (starts || own->sources[i].is_map))
            TRY_RETURN(mw_field_set_one(own->field, own->sources[i].name, &own->sources[i].array));
    return 0;
}

/* ---- checkpoints ---- */

struct short_text field_map_setting(const char *name)
{
    struct short_text t;
    snprintf(t.text, sizeof(t.text), "map %.31s", name);
    return t;
}

bool field_map_is_kept(const char *setting) { return !strncmp(setting, "array ", strlen("array ")); }

static struct field_source *source_of(const struct field_run *own, const char *name)
{
    for (size_t i = 0; i < own->source_count; i++)
        if (!strcmp(own->sources[i].name, name))
            return &own->sources[i];
    return NULL;
}

void field_map_settings(const struct run *r, struct setting_list *list)
{
    const struct field_run *own = r->own;
    for (size_t i = 0; i < own->info->map_count; i++) {
        const struct short_text setting = field_map_setting(own->info->maps[i].name);
        const struct field_source *s = source_of(own, own->info->maps[i].name);
        const char *theirs = r->resume.from ? mw_checkpoint_setting(r->resume.from, setting.text) : NULL;
        if (s && s->text)
            setting_add(list, false, setting.text, "%s", s->text);
        else if (s)
            setting_add(list, false, setting.text, "array %016llx of %zu values",
                        (unsigned long long)mw_array_checksum(&s->array), s->array.count);
        else
            setting_add(list, false, setting.text, "%s", theirs ? theirs : FIELD_MAP_DEFAULT);
    }
}

int field_save_maps(const struct run *r, struct mw_checkpoint_writer *writer)
{
    const struct field_run *own = r->own;
    for (size_t i = 0; i < own->source_count; i++)
        if (own->sources[i].is_map && own->sources[i].array.data)
            TRY_RETURN(mw_checkpoint_put(writer, field_map_setting(own->sources[i].name).text,
                                         own->sources[i].array.data, own->sources[i].array.count * sizeof(double)));
    return 0;
}

int field_load_maps(struct field_run *own, const struct mw_checkpoint *checkpoint)
{
    for (size_t i = 0; i < own->info->map_count; i++) {
        const char *name = own->info->maps[i].name;
        const char *setting = mw_checkpoint_setting(checkpoint, field_map_setting(name).text), *of;
        size_t length[MW_DIMS_MAX + 1];
        struct field_source *source;
        unsigned dims = own->options.dims;
        if (!setting || !field_map_is_kept(setting) || source_of(own, name))
            continue;
        memcpy(length, own->options.length, sizeof(own->options.length));
        of = strstr(setting, " of ");
        if (own->systems > 1 && of && strtoull(of + strlen(" of "), NULL, 10) != own->cells)
            length[dims++] = own->systems;
        TRY_RETURN(add_source(own, name, true, &source));
        TRY_RETURN(mw_array_new(MW_TYPE_F64, dims, length, &source->array));
        TRY_RETURN(mw_checkpoint_get(checkpoint, field_map_setting(name).text, source->array.data,
                                     source->array.count * sizeof(double)));
    }
    return field_set_sources(own, false);
}

/* ---- report ---- */

void field_put_sources(const struct run *r, struct node *to)
{
    const struct field_run *own = r->own;
    for (size_t k = 0; k < 2; k++) {
        struct node *list = NULL;
        for (size_t i = 0; i < own->source_count; i++) {
            const struct field_source *s = &own->sources[i];
            if (s->is_map != (k == 0))
                continue;
            const char *from = s->text ? s->text : s->path ? s->path : "the checkpoint";
            const char *title = list ? "" : k ? "starts" : "maps";
            if (!list)
                list = put_object(to, k ? "start_sources" : "map_sources");
            show_row(put_text(list, s->name, from), title, "%s from %s", s->name, from);
        }
    }
}
/* SPDX-License-Identifier: MIT */

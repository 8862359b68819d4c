/* meshwork label: where components are and how they are shaped, and which cells they have. */
#include <meshwork/file.h>

#include <math.h>

#include "tools/label/label.h"

bool label_wants_shapes(const struct label *l)
{
    return l->set->spanning || l->set->components;
}

static int span(struct label *l, size_t label)
{
    struct mw_component_geometry shape;
    int rc;

    TRY(mw_geometry_component(l->geometry, label, &shape));
    for (unsigned i = 0; i < l->options.dims; i++) {
        if (!shape.size || !shape.spans[i])
            continue;
        if (l->spanning[i].count++ == 0)
            l->spanning[i].first = label;
    }
out:
    return rc;
}

int label_measure(struct label *l)
{
    const struct phase phase = phase_begin();
    int rc;

    TRY(mw_geometry_new(l->prim, l->options.dims, l->options.length, l->options.periodic, &l->geometry));
    TRY(mw_geometry_run(l->geometry, l->components));
    for (size_t label = 1; label <= l->summary.components; label++)
        TRY(span(l, label));
    l->measuring = phase_end(&phase, &l->build);
out:
    return rc;
}

/* ---- the table of components ---- */

static void add_header(unsigned dims, struct text *line)
{
    text_add(line, "label,size,offset");
    for (unsigned i = 0; i < dims; i++)
        text_add(line, ",first_%s,extent_%s,centre_%s", label_axis(i).text, label_axis(i).text, label_axis(i).text);
    text_add(line, ",gyration");
    for (unsigned i = 0; i < dims; i++)
        text_add(line, ",spans_%s", label_axis(i).text);
    text_add(line, "\n");
}

/* Numbers that read back as they were; nothing where there is none. */
static void add_real(double value, struct text *line)
{
    text_add(line, isnan(value) ? "," : ",%.17g", value);
}

static void add_shape(const struct label *l, size_t label, uint32_t offset, const struct mw_component_geometry *shape,
                      struct text *line)
{
    text_add(line, "%zu,%zu,%lu", label, shape->size, (unsigned long)offset);
    for (unsigned i = 0; i < l->options.dims; i++) {
        text_add(line, ",%zu,%zu", shape->first[i], shape->extent[i]);
        add_real(shape->centre[i], line);
    }
    add_real(shape->gyration, line);
    for (unsigned i = 0; i < l->options.dims; i++)
        text_add(line, ",%d", shape->spans[i]);
    text_add(line, "\n");
}

int label_write_components(const struct label *l)
{
    enum { FLUSH = 1 << 16 };
    const uint32_t *offsets;
    struct text lines = { 0 };
    struct mw_file *file = NULL;
    size_t count;
    int rc;

    TRY(mw_components_array(l->components, MW_COMPONENTS_OFFSETS, &offsets, &count));
    TRY(mw_file_create(l->set->components, false, &file));
    add_header(l->options.dims, &lines);
    for (size_t c = 0; c < count; c++) {
        struct mw_component_geometry shape;
        TRY(mw_geometry_component(l->geometry, c + 1, &shape));
        add_shape(l, c + 1, offsets[c], &shape, &lines);
        if (lines.length < FLUSH)
            continue;
        TRY(text_ok(&lines));
        TRY(mw_file_write(file, lines.data, lines.length));
        lines.length = 0;
    }
    TRY(text_ok(&lines));
    TRY(mw_file_write(file, lines.data, lines.length));
    rc = mw_file_commit(file);
    file = NULL;
out:
    mw_file_abandon(file);
    text_free(&lines);
    return rc;
}

int label_write_cells(const struct label *l)
{
    const uint32_t *cells;
    size_t count;
    struct mw_array array = { 0 };
    int rc;

    TRY(mw_components_array(l->components, MW_COMPONENTS_CELLS, &cells, &count));
    TRY(mw_array_new(MW_TYPE_U32, 1, &count, &array));
    for (size_t i = 0; i < count; i++)
        ((uint32_t *)array.data)[i] = cells[i];
    TRY(mw_npy_write(l->set->cells, &array));
out:
    mw_array_free(&array);
    return rc;
}

/* meshwork label: geometry and cells of components. */
#include "tools/label/label.h"
#include "tools/report/csv.h"

bool label_wants_shapes(const struct label *l) { return l->set->spanning || l->set->components; }

static int span(struct label *l, size_t label)
{
    struct mw_component_geometry shape = MW_INIT(shape);
    TRY_RETURN(mw_geometry_component(l->geometry, label, &shape));
    for (unsigned i = 0; i < l->options.dims; i++) {
        if (!shape.cells || !shape.spans[i])
            continue;
        if (l->spanning[i].count++ == 0)
            l->spanning[i].first = label;
    }
    return 0;
}

int label_measure(struct label *l)
{
    const struct phase phase = phase_begin();
    TRY_RETURN(mw_geometry_new(l->prim, l->options.dims, l->options.length, l->options.boundary, &l->geometry));
    TRY_RETURN(mw_geometry_run(l->geometry, l->components));
    for (size_t label = 1; label <= l->summary.components; label++)
        TRY_RETURN(span(l, label));
    l->measuring = phase_end(&phase, &l->build);
    return 0;
}

/* ---- the table of components ---- */

static void add_titles(unsigned dims, struct mw_text *line)
{
    mw_text_add(line, "label,size,offset");
    for (unsigned i = 0; i < dims; i++)
        mw_text_add(line, ",first_%s,extent_%s,centre_%s", label_axis(i).text, label_axis(i).text, label_axis(i).text);
    mw_text_add(line, ",gyration");
    for (unsigned i = 0; i < dims; i++)
        mw_text_add(line, ",spans_%s", label_axis(i).text);
}

struct shape_lines {
    const struct label *l;
    const uint32_t *offsets;
};

/* Every component has a shape, so the lookup succeeds. */
static void add_shape(const void *lines, size_t c, struct mw_text *line)
{
    const struct shape_lines *s = lines;
    const unsigned dims = s->l->options.dims;
    struct mw_component_geometry shape = MW_INIT(shape);
    mw_geometry_component(s->l->geometry, c + 1, &shape);
    mw_text_add(line, "%zu,%zu,%lu", c + 1, shape.cells, (unsigned long)s->offsets[c]);
    for (unsigned i = 0; i < dims; i++) {
        mw_text_add(line, ",%zu,%zu", shape.first[i], shape.extent[i]);
        csv_real(line, shape.centre[i]);
    }
    csv_real(line, shape.gyration);
    for (unsigned i = 0; i < dims; i++)
        mw_text_add(line, ",%d", shape.spans[i]);
    mw_text_add(line, "\n");
}

int label_write_components(const struct label *l)
{
    struct shape_lines lines = { .l = l };
    struct mw_text titles = { 0 };
    size_t count;
    int rc;
    TRY(mw_components_array(l->components, MW_COMPONENTS_OFFSETS, &lines.offsets, &count));
    add_titles(l->options.dims, &titles);
    TRY(mw_text_ok(&titles));
    TRY(csv_write(l->set->components, titles.data, count, add_shape, &lines));
out:
    mw_text_free(&titles);
    return rc;
}

int label_write_cells(const struct label *l)
{
    struct mw_array like = { .type = MW_TYPE_U32, .dims = 1 };
    struct mw_buffer *cells;
    TRY_RETURN(mw_components_buffer(l->components, MW_COMPONENTS_CELLS, &cells, &like.count));
    like.length[0] = like.count;
    return label_write_buffer(l->set->cells, &like, cells);
}
/* SPDX-License-Identifier: MIT */

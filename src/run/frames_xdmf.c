/* Files of frames: the XDMF file for ParaView and VisIt, a list of grids that refer to parts of the HDF5 file
 * (https://www.xdmf.org, version 2). */
#include "run/frames_internal.h"

#include <math.h>

#define XDMF_DIMS 3

static const char *number_type(enum mw_type type)
{
    switch (type) {
    case MW_TYPE_F32:
    case MW_TYPE_F64: return "Float";
    case MW_TYPE_I8: return "Char";
    case MW_TYPE_BOOL:
    case MW_TYPE_U8: return "UChar";
    case MW_TYPE_U16:
    case MW_TYPE_U32:
    case MW_TYPE_U64: return "UInt";
    default: return "Int";
    }
}

/* Appends the lengths of the mesh, slowest first.  Grids have three dimensions: viewers put one of two into the planes
 * of y and z. */
static void add_lengths(const struct mw_frames_form *f, struct mw_text *t)
{
    for (unsigned d = XDMF_DIMS; d-- > 0;)
        mw_text_add(t, "%zu%s", d < f->dims ? f->length[d] : 1, d ? " " : "");
}

static void add_repeated(struct mw_text *t, const char *word, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        mw_text_add(t, " %s", word);
}

static void add_attribute(const struct mw_frames_form *f, const char *file, size_t field, size_t frame, size_t frames,
                          struct mw_text *t)
{
    const unsigned rank = f->dims + 1;
    mw_text_add(t, "        <Attribute Name=\"%s\" AttributeType=\"Scalar\" Center=\"Node\">\n", f->names[field]);
    mw_text_add(t, "          <DataItem ItemType=\"HyperSlab\" Type=\"HyperSlab\" Dimensions=\"");
    add_lengths(f, t);
    mw_text_add(t, "\">\n            <DataItem Dimensions=\"3 %u\" Format=\"XML\">%zu", rank, frame);
    add_repeated(t, "0", f->dims);
    add_repeated(t, "1", rank);
    mw_text_add(t, " 1");
    for (unsigned d = f->dims; d-- > 0;)
        mw_text_add(t, " %zu", f->length[d]);
    mw_text_add(t, "</DataItem>\n            <DataItem Dimensions=\"%zu", frames);
    for (unsigned d = f->dims; d-- > 0;)
        mw_text_add(t, " %zu", f->length[d]);
    mw_text_add(t, "\" NumberType=\"%s\" Precision=\"%zu\" Format=\"HDF\">%s:/%s</DataItem>\n", number_type(f->type),
                mw_type_bytes(f->type), file, f->names[field]);
    mw_text_add(t, "          </DataItem>\n        </Attribute>\n");
}

static void add_frame(const struct mw_frames_form *f, const char *file, double time, size_t frame, size_t frames,
                      struct mw_text *t)
{
    mw_text_add(t, "      <Grid Name=\"frame %zu\" GridType=\"Uniform\">\n        <Time Value=\"%.17g\"/>\n", frame,
                time);
    mw_text_add(t, "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"");
    add_lengths(f, t);
    mw_text_add(t, "\"/>\n        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
                   "          <DataItem Dimensions=\"3\" Format=\"XML\">0 0 0</DataItem>\n"
                   "          <DataItem Dimensions=\"3\" Format=\"XML\">");
    for (unsigned d = XDMF_DIMS; d-- > 0;)
        mw_text_add(t, "%.17g%s", d < f->dims ? f->spacing[d] : 1, d ? " " : "");
    mw_text_add(t, "</DataItem>\n        </Geometry>\n");
    for (size_t i = 0; i < f->count; i++)
        add_attribute(f, file, i, frame, frames, t);
    mw_text_add(t, "      </Grid>\n");
}

int mw_frames_xdmf(const struct mw_frames_form *f, const double *times, size_t count)
{
    const char *slash = strrchr(f->path, '/'), *name = slash ? slash + 1 : f->path;
    struct mw_text t = { 0 }, path = { 0 };
    int rc = 0;
    if (f->dims > XDMF_DIMS || f->systems > 1 || strpbrk(name, "<>&\""))
        return 0;
    mw_text_add_stem(&path, f->path);
    mw_text_add(&path, ".xdmf");
    mw_text_add(&t, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n    <Grid Name=\"frames\" "
                    "GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (size_t i = 0; i < count; i++)
        add_frame(f, name, times[i], i, count, &t);
    mw_text_add(&t, "    </Grid>\n  </Domain>\n</Xdmf>\n");
    TRY(mw_text_ok(&t));
    TRY(mw_text_ok(&path));
    rc = mw_file_put(path.data, false, t.data, t.length);
out:
    mw_text_free(&t);
    mw_text_free(&path);
    return rc;
}
/* SPDX-License-Identifier: MIT */

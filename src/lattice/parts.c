/* Transforms on several devices: each computes some slabs of the result, from the whole source.  The map of a part is
 * the map followed by a crop, so that all variants and devices compute a part as they compute a whole result. */
#include "lattice/transform_internal.h"

#include "dev/core/team.h"
#include "lattice/map_internal.h"

/* One device's part of the result. */
struct part {
    struct mw_transform_parts *of;
    struct mw_device *device;
    struct mw_transform *transform;
    size_t first, bytes;                 /* its bytes in the result */
    struct mw_buffer *own_from, *own_to; /* NULL until needed: the first part may use the caller's buffers */
    struct mw_buffer *from, *to;         /* buffers of the current run */
};

struct mw_transform_parts {
    size_t count, source_bytes;
    struct part *part;
    struct mw_team *team;
    const void *fill, *values; /* fill value of the current run; the source in host memory */
    char *result;              /* the result in host memory */
};

size_t mw_transform_part_count(const struct mw_map *map, size_t devices)
{
    for (unsigned d = 0; d < map->dims; d++)
        if (map->length[d] == 0)
            return 1;
    return mw_min(devices, map->length[mw_team_slabs(map->dims, map->length)]);
}

/* ---- life ---- */

static int make_part(struct part *part, const struct mw_map *map, size_t first, size_t slabs, size_t element_bytes,
                     const char *variant)
{
    struct mw_map *own = NULL;
    int rc;
    TRY(mw_map_copy(map, &own));
    TRY(mw_map_crop(own, mw_team_slabs(map->dims, map->length), first, slabs));
    TRY(mw_transform_new(&part->device, 1, own, element_bytes, variant, &part->transform));
out:
    mw_map_free(own);
    return rc;
}

static size_t cells_of(unsigned dims, const size_t *length)
{
    size_t cells = 1;
    for (unsigned d = 0; d < dims; d++)
        cells *= length[d];
    return cells;
}

int mw_transform_parts_new(struct mw_device *const *devices, size_t count, const struct mw_map *map,
                           size_t element_bytes, const char *variant, struct mw_transform_parts **parts)
{
    const size_t slabs = map->length[mw_team_slabs(map->dims, map->length)];
    const size_t slab_bytes = cells_of(map->dims, map->length) / slabs * element_bytes;
    size_t source[MW_DIMS_MAX], first = 0;
    struct mw_transform_parts *p;
    unsigned dims;
    int rc;
    TRY(mw_new(1, sizeof *p, &p));
    TRY(mw_new(count, sizeof *p->part, &p->part));
    p->count = count;
    mw_map_source_lengths(map, &dims, source);
    p->source_bytes = cells_of(dims, source) * element_bytes;
    for (size_t d = 0; d < count; d++) {
        const size_t mine = slabs / count + (d < slabs % count);
        p->part[d] =
            (struct part){ .of = p, .device = devices[d], .first = first * slab_bytes, .bytes = mine * slab_bytes };
        TRY(make_part(&p->part[d], map, first, mine, element_bytes, variant));
        first += mine;
    }
    TRY(mw_team_new(p->part, sizeof *p->part, count, &p->team));
    *parts = p;
    p = NULL;
out:
    mw_transform_parts_free(p);
    return rc;
}

void mw_transform_parts_free(struct mw_transform_parts *parts)
{
    if (!parts)
        return;
    mw_team_free(parts->team);
    for (size_t d = 0; d < parts->count; d++) {
        mw_transform_free(parts->part[d].transform);
        mw_buffer_free(parts->part[d].own_from);
        mw_buffer_free(parts->part[d].own_to);
    }
    free(parts->part);
    free(parts);
}

const char *mw_transform_parts_variant(const struct mw_transform_parts *parts)
{
    return mw_transform_variant(parts->part[0].transform);
}

/* ---- jobs of the devices ---- */

/* Makes the buffers that the caller has not given. */
static int need_buffers(struct part *part)
{
    if (!part->from && !part->own_from)
        TRY_RETURN(mw_buffer_new(part->device, part->of->source_bytes, &part->own_from));
    if (!part->to && !part->own_to)
        TRY_RETURN(mw_buffer_new(part->device, part->bytes, &part->own_to));
    part->from = part->from ? part->from : part->own_from;
    part->to = part->to ? part->to : part->own_to;
    return 0;
}

static int send_source(void *of, void *unused)
{
    const struct part *part = of;
    return mw_buffer_write(part->from, 0, part->of->source_bytes, part->of->values, NULL);
}

static int run_part(void *of, void *unused)
{
    const struct part *part = of;
    TRY_RETURN(mw_transform_run(part->transform, part->from, part->to, part->of->fill));
    return mw_device_finish(part->device);
}

static int read_result(void *of, void *unused)
{
    const struct part *part = of;
    return mw_buffer_read(part->to, 0, part->bytes, part->of->result + part->first, NULL);
}

/* ---- runs ---- */

/* Prepares a run of all parts, the first of them with the caller's buffers (NULL: its own). */
static int begin_run(struct mw_transform_parts *p, struct mw_buffer *from, struct mw_buffer *to, const void *fill)
{
    p->fill = fill;
    for (size_t d = 0; d < p->count; d++) {
        p->part[d].from = d == 0 ? from : NULL;
        p->part[d].to = d == 0 ? to : NULL;
        TRY_RETURN(need_buffers(&p->part[d]));
    }
    return 0;
}

int mw_transform_parts_run(struct mw_transform_parts *p, struct mw_buffer *from, struct mw_buffer *to, const void *fill)
{
    TRY_RETURN(begin_run(p, from, to, fill));
    for (size_t d = 1; d < p->count; d++)
        TRY_RETURN(mw_buffer_copy(from, 0, p->part[d].from, 0, p->source_bytes, NULL));
    TRY_RETURN(mw_team_run(p->team, run_part, NULL));
    for (size_t d = 1; d < p->count; d++)
        TRY_RETURN(mw_buffer_copy(p->part[d].to, 0, to, p->part[d].first, p->part[d].bytes, NULL));
    return 0;
}

int mw_transform_parts_array(struct mw_transform_parts *p, const void *from, void *to, double *seconds)
{
    p->values = from;
    p->result = to;
    TRY_RETURN(begin_run(p, NULL, NULL, NULL));
    TRY_RETURN(mw_team_run(p->team, send_source, NULL));
    TRY_RETURN(mw_team_run(p->team, run_part, NULL));
    if (seconds) {
        const double start = mw_work_now();
        TRY_RETURN(mw_team_run(p->team, run_part, NULL));
        *seconds = mw_work_now() - start;
    }
    return mw_team_run(p->team, read_result, NULL);
}
/* SPDX-License-Identifier: MIT */

/* Carpets: construction and access to their sites. */
#include "walk/carpet_internal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/installed.h"

#define SUFFIX ".txt"
#define RANDOM_TRIES (1u << 20)

static const char *const folders[] = { "carpets" };
static const struct mw_installed carpets = { "carpet", "a file of generators", SUFFIX,
                                             folders,  MW_COUNT(folders),      MW_EDATA };

/* ---- construction ---- */

/* Copies the name of a file without folder and suffix. */
static int name_of(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    const int rc = mw_strdup(slash ? slash + 1 : path, name);
    if (rc == 0 && strlen(*name) > strlen(SUFFIX) && strcmp(*name + strlen(*name) - strlen(SUFFIX), SUFFIX) == 0)
        (*name)[strlen(*name) - strlen(SUFFIX)] = 0;
    return rc;
}

static int find_period(const struct carpet *c, const char *name, uint64_t *period)
{
    *period = 1;
    for (i32 level = 0; level < c->level; level++) {
        *period *= (uint64_t)c->side;
        if (*period > INT32_MAX)
            return mw_fail(MW_ELIMIT,
                           "carpet %s: an iterator of level %d has %d^%d sites per dimension (at most 2^31 "
                           "- 1): use a lower level",
                           name, (int)c->level, (int)c->side, (int)c->level);
    }
    return 0;
}

static uint64_t hash_of(const struct mw_carpet *c)
{
    const uint64_t words[] = { c->info.dims,      c->info.level,
                               c->info.side,      c->info.generators,
                               c->info.extent[0], c->info.extent[1],
                               c->info.extent[2], c->info.generators > 1 ? c->info.seed : 0 };
    struct mw_hasher h;
    mw_hasher_start(&h, 0);
    mw_hasher_add_words(&h, words, MW_COUNT(words), sizeof *words);
    mw_hasher_add_words(&h, c->generators, (size_t)(c->view.words * c->view.generators), sizeof *c->generators);
    return mw_hasher_end(&h);
}

/* Derives all other members from the generators and the options. */
static int carpet_finish(struct mw_carpet *c, const struct mw_carpet_options *options)
{
    struct carpet *view = &c->view;
    struct mw_carpet_info *info = &c->info;
    const double sites = pow(view->side, view->dims) * view->generators;
    if (options->level > MW_CARPET_LEVEL_MAX)
        return mw_fail(MW_ELIMIT, "carpet %s: level %u is too large (must be 1 to %d)", c->name, options->level,
                       MW_CARPET_LEVEL_MAX);
    if (options->level > 0)
        view->level = (i32)options->level;
    TRY_RETURN(find_period(view, c->name, &info->period));
    view->seed = options->seed;
    for (int d = 0; d < view->dims; d++) {
        if (options->extent[d] > INT32_MAX)
            return mw_fail(MW_EINVAL, "carpet %s: %zu iterators per dimension (at most 2^31 - 1)", c->name,
                           options->extent[d]);
        view->extent[d] = (i32)options->extent[d];
        info->extent[d] = options->extent[d];
    }
    info->name = c->name;
    info->about = c->about ? c->about : "";
    info->path = c->path;
    info->dims = (unsigned)view->dims;
    info->level = (unsigned)view->level;
    info->side = (size_t)view->side;
    info->generators = (size_t)view->generators;
    info->occupancy = pow((double)c->open / sites, view->level);
    info->seed = options->seed;
    info->hash = hash_of(c);
    return 0;
}

static int read_file(struct mw_carpet *c, const struct mw_carpet_options *options)
{
    struct mw_installed_file file = { 0 };
    int rc;
    TRY(mw_installed_read(&carpets, options->generators ? options->generators : "full", options->kernel_path, &file));
    TRY(mw_generators_read(file.path, file.text, c));
    TRY(name_of(file.path, &c->name));
    c->path = file.path;
    file.path = NULL;
out:
    mw_installed_file_clear(&file);
    return rc;
}

static int copy_generators(struct mw_carpet *c, const struct mw_carpet *like)
{
    const size_t words = (size_t)like->view.words * (size_t)like->view.generators;
    TRY_RETURN(mw_new(words, sizeof *c->generators, &c->generators));
    memcpy(c->generators, like->generators, words * sizeof *c->generators);
    TRY_RETURN(mw_strdup(like->name, &c->name));
    TRY_RETURN(mw_strdup(like->info.about, &c->about));
    TRY_RETURN(mw_strdup(like->path, &c->path));
    c->open = like->open;
    c->view = like->view;
    return 0;
}

int mw_carpet_new(const struct mw_carpet_options *given, struct mw_carpet **carpet)
{
    struct mw_carpet_options options;
    struct mw_carpet *c = NULL;
    int rc;
    TRY(MW_OPTIONS_TAKE(mw_carpet_options, given, extent, &options));
    TRY(mw_new(1, sizeof *c, &c));
    TRY(options.like ? copy_generators(c, options.like) : read_file(c, &options));
    TRY(carpet_finish(c, &options));
    *carpet = c;
    c = NULL;
out:
    mw_carpet_free(c);
    return rc;
}

struct mw_carpet *mw_carpet_hold(const struct mw_carpet *carpet)
{
    /* Only the reference count of a carpet ever changes. */
    struct mw_carpet *c = (struct mw_carpet *)carpet;
    atomic_fetch_add(&c->references, 1);
    return c;
}

void mw_carpet_free(struct mw_carpet *carpet)
{
    if (!carpet || atomic_fetch_sub(&carpet->references, 1) > 0)
        return;
    free(carpet->name);
    free(carpet->about);
    free(carpet->path);
    free(carpet->generators);
    free(carpet);
}

const struct mw_carpet_info *mw_carpet_info(const struct mw_carpet *carpet) { return &carpet->info; }

int mw_carpet_names(const char *kernel_path, char ***names) { return mw_installed_names(&carpets, kernel_path, names); }

void mw_carpet_names_free(char **names) { mw_installed_names_free(names); }

/* ---- sites ---- */

bool mw_carpet_accessible(const struct mw_carpet *carpet, const int64_t *site)
{
    const struct carpet c = carpet->view;
    i32 block[MW_CARPET_DIMS_MAX] = { 0 }, digit[MW_CARPET_DIMS_MAX] = { 0 };
    for (int d = 0; d < c.dims; d++) {
        if (site[d] != (i32)site[d])
            return false;
        block[d] = k_turns((i32)site[d], c.side);
        digit[d] = k_rest((i32)site[d], c.side);
    }
    const i32 g = carpet_generator(c, carpet->generators, block[0], block[1], block[2]);
    return g >= 0 && carpet_open(c, carpet->generators, g, digit[0], digit[1], digit[2]);
}

int mw_carpet_check_start(const struct mw_carpet *carpet, const int64_t *start)
{
    char z[32] = "";
    if (mw_carpet_accessible(carpet, start))
        return 0;
    if (carpet->info.dims == 3)
        snprintf(z, sizeof z, ",%" PRId64, start[2]);
    return mw_fail(MW_EINVAL,
                   "carpet %s: site %" PRId64 ",%" PRId64 "%s is not accessible: start at another site, "
                   "or at a random one",
                   carpet->info.name, start[0], start[1], z);
}

/* A box of sites to fill; `high` is exclusive. */
struct box {
    const struct mw_carpet *carpet;
    int64_t low[MW_CARPET_DIMS_MAX], high[MW_CARPET_DIMS_MAX];
    int64_t origin[MW_CARPET_DIMS_MAX], stride[MW_CARPET_DIMS_MAX];
    uint8_t *sites;
};

static int64_t max_i64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min_i64(int64_t a, int64_t b) { return a < b ? a : b; }

/* Clips a range of blocks, each of `edge` sites per dimension, to the blocks that intersect the box: *first to *last,
 * inclusive. */
static void clip(const struct box *box, int64_t edge, const int64_t *from, const int64_t *to, int64_t *first,
                 int64_t *last)
{
    for (int d = 0; d < MW_CARPET_DIMS_MAX; d++) {
        first[d] = max_i64(from[d], box->low[d] / edge - (box->low[d] % edge < 0));
        last[d] = min_i64(to[d], (box->high[d] - 1) / edge - ((box->high[d] - 1) % edge < 0));
    }
}

/* Marks the accessible sites of a block of side * edge sites per dimension. */
static void mark_block(const struct box *box, const int64_t *block, i32 level, int64_t edge)
{
    const struct carpet *c = &box->carpet->view;
    const i32 g = carpet_choose(*c, (i32)block[0], (i32)block[1], (i32)block[2], level);
    int64_t from[MW_CARPET_DIMS_MAX], to[MW_CARPET_DIMS_MAX], first[MW_CARPET_DIMS_MAX], last[MW_CARPET_DIMS_MAX],
        at[MW_CARPET_DIMS_MAX];
    for (int d = 0; d < MW_CARPET_DIMS_MAX; d++) {
        from[d] = d < c->dims ? block[d] * c->side : 0;
        to[d] = d < c->dims ? from[d] + c->side - 1 : 0;
    }
    clip(box, edge, from, to, first, last);
    for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                if (!carpet_open(*c, box->carpet->generators, g, (i32)(at[0] - from[0]), (i32)(at[1] - from[1]),
                                 (i32)(at[2] - from[2])))
                    continue;
                if (level > 1)
                    mark_block(box, at, level - 1, edge / c->side);
                else
                    box->sites[(at[0] - box->origin[0]) * box->stride[0] + (at[1] - box->origin[1]) * box->stride[1] +
                               (at[2] - box->origin[2]) * box->stride[2]] = 1;
            }
}

int mw_carpet_region(const struct mw_carpet *carpet, const int64_t *low, const size_t *length, struct mw_array *sites)
{
    const struct carpet *c = &carpet->view;
    const int64_t period = (int64_t)carpet->info.period;
    struct box box = { .carpet = carpet, .high = { 1, 1, 1 } };
    struct mw_array array;
    int64_t from[MW_CARPET_DIMS_MAX], to[MW_CARPET_DIMS_MAX], first[MW_CARPET_DIMS_MAX], last[MW_CARPET_DIMS_MAX],
        at[MW_CARPET_DIMS_MAX];
    bool none = false;
    for (int d = 0; d < c->dims; d++)
        if (length[d] == 0)
            return mw_fail(MW_EINVAL, "a region of a carpet has a length of 0 (must be 1 or more)");
    TRY_RETURN(mw_array_new(MW_TYPE_U8, (unsigned)c->dims, length, &array));
    box.sites = array.data;
    for (int64_t d = 0, stride = 1; d < c->dims; stride *= (int64_t)length[d], d++) {
        box.origin[d] = low[d];
        box.stride[d] = stride;
        box.low[d] = max_i64(low[d], INT32_MIN);
        /* Lengths fit into memory, so only values far beyond 32 bits could overflow. */
        box.high[d] = low[d] > INT32_MAX ? box.low[d] : min_i64(low[d] + (int64_t)length[d], (int64_t)INT32_MAX + 1);
        none = none || box.high[d] <= box.low[d];
    }
    for (int d = 0; d < MW_CARPET_DIMS_MAX; d++) {
        from[d] = c->extent[d] ? 0 : INT32_MIN;
        to[d] = c->extent[d] ? c->extent[d] - 1 : INT32_MAX;
    }
    clip(&box, period, from, to, first, last);
    for (at[2] = first[2]; at[2] <= last[2] && !none; at[2]++)
        for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
            for (at[0] = first[0]; at[0] <= last[0]; at[0]++)
                mark_block(&box, at, c->level, period / c->side);
    *sites = array;
    return 0;
}

int mw_carpet_random_site(const struct mw_carpet *carpet, uint64_t number, int64_t *site)
{
    const struct carpet *c = &carpet->view;
    for (u32 try = 0; try < RANDOM_TRIES; try++) {
        const struct philox r = draw_words(number, try, WALK_DRAW_START, c->seed);
        int64_t at[MW_CARPET_DIMS_MAX] = { 0 };
        for (int d = 0; d < c->dims; d++)
            at[d] = mul_high_u32(r.word[d], (u32)carpet->info.period);
        if (mw_carpet_accessible(carpet, at)) {
            memcpy(site, at, (size_t)c->dims * sizeof *site);
            return 0;
        }
    }
    return mw_fail(MW_EINVAL,
                   "carpet %s: found no accessible site near the origin in %u random tries: use "
                   "another seed or give a site",
                   carpet->info.name, RANDOM_TRIES);
}
/* SPDX-License-Identifier: MIT */

/* Meshes in host memory with their expected labels, by a flood fill. */
#ifndef MW_TESTS_MESH_H
#define MW_TESTS_MESH_H

#include "label/label_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

enum { NEIGHBOURS_MAX = 6560 };

/* A mesh in host memory with the results of the flood fill. */
struct mesh {
    struct mw_label_options options;
    size_t cells;
    double *value; /* exact for all values in these tests */
    int64_t *expected, *stack;
    size_t components;
};

static struct mesh mesh_of(const struct mw_label_options *options)
{
    struct mesh m = { .options = *options, .cells = 1 };
    for (unsigned i = 0; i < options->dims; i++)
        m.cells *= options->length[i];
    m.value = room(m.cells, sizeof *m.value);
    m.expected = room(m.cells, sizeof *m.expected);
    m.stack = room(m.cells, sizeof *m.stack);
    return m;
}

static void mesh_free(struct mesh *m)
{
    free(m->value);
    free(m->expected);
    free(m->stack);
}

/* ---- the flood fill ---- */

static bool is_background(const struct mesh *m, double v)
{
    const struct mw_label_options *o = &m->options;
    return !o->no_background && (o->join == MW_JOIN_THRESHOLD ? !(v > o->threshold) : v == (double)o->background);
}

static bool joined(const struct mesh *m, double a, double b)
{
    const struct mw_label_options *o = &m->options;
    return o->join <= MW_JOIN_EQUAL       ? a == b
           : o->join == MW_JOIN_THRESHOLD ? (a > o->threshold) == (b > o->threshold)
                                          : fabs(a - b) <= o->tolerance;
}

/* Finds the steps to all neighbours. */
static unsigned steps_of(const struct mw_label_options *o, signed char step[][MW_DIMS_MAX])
{
    const struct mw_lattice_kind_info *kind = mw_lattice_kinds(o->lattice);
    unsigned n = 0, all = 1;
    if (o->lattice != MW_LATTICE_HYPERCUBIC) {
        memcpy(step, kind->step, kind->coordination * sizeof *step);
        return kind->coordination;
    }
    for (unsigned i = 0; i < o->dims; i++)
        all *= 3;
    for (unsigned s = 0; s < all; s++) {
        unsigned moved = 0, left = s;
        for (unsigned i = 0; i < o->dims; i++, left /= 3) {
            step[n][i] = (signed char)(left % 3 - 1);
            moved += step[n][i] != 0;
        }
        n += moved == 1 || (moved > 1 && o->connectivity == MW_CONNECTIVITY_ALL);
    }
    return n;
}

static int64_t neighbour(const struct mw_label_options *o, int64_t k, const signed char *step)
{
    int64_t to = 0, stride = 1;
    for (unsigned i = 0; i < o->dims; i++) {
        const int64_t length = (int64_t)o->length[i];
        int64_t x = k % length + step[i];
        if ((x < 0 || x >= length) && o->boundary[i] != MW_BOUNDARY_PERIODIC)
            return -1;
        to += (x + length) % length * stride;
        stride *= length;
        k /= length;
    }
    return to;
}

static void flood(struct mesh *m)
{
    static signed char step[NEIGHBOURS_MAX + 1][MW_DIMS_MAX];
    const unsigned n = steps_of(&m->options, step);
    m->components = 0;
    for (size_t k = 0; k < m->cells; k++)
        m->expected[k] = is_background(m, m->value[k]) ? 0 : -1;
    for (size_t k = 0; k < m->cells; k++) {
        size_t waiting = 0;
        if (m->expected[k] >= 0)
            continue;
        m->expected[k] = (int64_t)++m->components;
        m->stack[waiting++] = (int64_t)k;
        while (waiting > 0) {
            const int64_t at = m->stack[--waiting];
            for (unsigned j = 0; j < n; j++) {
                const int64_t to = neighbour(&m->options, at, step[j]);
                if (to >= 0 && m->expected[to] < 0 && joined(m, m->value[at], m->value[to])) {
                    m->expected[to] = (int64_t)m->components;
                    m->stack[waiting++] = to;
                }
            }
        }
    }
}

#endif
/* SPDX-License-Identifier: MIT */

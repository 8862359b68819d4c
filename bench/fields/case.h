/* Fields as contenders: a model on a mesh, whose shape is given, the rule's or tuned. */
#ifndef FIELDS_CASE_H
#define FIELDS_CASE_H

#include "bench/common/contest.h"

/* Short names for tables. */
#define EULER MW_INTEGRATOR_EULER
#define RK2 MW_INTEGRATOR_RK2
#define RK4 MW_INTEGRATOR_RK4
#define MIRROR MW_BOUNDARY_MIRROR
#define FIXED MW_BOUNDARY_FIXED
#define FOURTH MW_LAPLACIAN_FOURTH
#define ISOTROPIC MW_LAPLACIAN_ISOTROPIC

struct field_case {
    const char *model;
    unsigned dims;
    size_t length[4];
    enum mw_integrator integrator;
    bool fp64;
    enum mw_boundary boundary; /* in all dimensions */
    enum mw_laplacian laplacian;
};

size_t field_cells(const struct field_case *c);
/* Returns the bytes moved per step by one pass over the state per update: values read, added to and written. */
double field_floor(const struct field_case *c, size_t field_count);
/* Formats "cahn-hilliard, 512 x 512, double, RK4, mirrors"; single precision, RK2 and periodic are omitted. */
void field_case_name(const struct field_case *c, char *text, size_t size);

/* A field on devices; a pass is a step. */
struct field_run {
    const struct field_case *of;
    const struct mw_model *model;
    struct mw_device **devices;
    size_t device_count;
    const char *shape; /* fixed parts; NULL: none */
    bool no_tune, retune;
    double budget; /* seconds for tuning; 0: the default */

    struct mw_field *field;
    struct mw_shape chosen;
    char text[MW_SHAPE_TEXT]; /* the chosen shape */
};

/* Returns a contender of that name; it does not take part if the shape does not fit. */
struct bench_contender field_contender(struct field_run *run, const char *name);

#endif
/* SPDX-License-Identifier: MIT */

/* Fields as contenders: a model on a mesh, whose shape is given, the rule's or tuned. */
#ifndef FIELDS_CASE_H
#define FIELDS_CASE_H

#include "bench/common/contest.h"

/* As tables have them. */
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
    enum mw_boundary boundary;           /* of all dimensions */
    enum mw_laplacian laplacian;
};

size_t field_cells(const struct field_case *c);
/* Bytes that a step moves which passes over the state once for each update: what is looked at, added to, written. */
double field_floor(const struct field_case *c, size_t field_count);
/* As "cahn-hilliard, 512 x 512, double, RK4, mirrors": what is not said is single precision, RK2, periodic. */
void field_case_name(const struct field_case *c, char *text, size_t size);

/* A field on devices, a step a pass. */
struct field_run {
    const struct field_case *of;
    const struct mw_model *model;
    struct mw_device **devices;
    size_t device_count;
    const char *shape;                   /* parts that are fixed, by rule or by hand; NULL: none */
    bool no_tune, retune;
    double budget;                       /* seconds for tuning; 0: as users have it */

    struct mw_field *field;
    struct mw_shape chosen;
    char text[MW_SHAPE_TEXT];            /* what was chosen */
};

/* A contender of that name; one whose shape does not fit does not take part. */
struct bench_contender field_contender(struct field_run *run, const char *name);

#endif
/* SPDX-License-Identifier: MIT */

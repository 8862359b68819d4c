/* Figures of Hawick and Playne: layout transforms and the Ising model by k-indices. */
#include "tools/bench/figures.h"

static const struct paper paper = {
    "Hawick, Playne", "Hypercubic Storage Layout and Transforms in Arbitrary Dimensions using GPUs and CUDA",
    "10.1002/cpe.1628", 2011
};

#define BY_HAND(letter, line)                                                                                          \
    CLAIM_OF(letter " relative to C", "figure 11", CLAIM_FACTOR, line, "C (by hand, two dimensions)", 0, 0, 0, 0)
/* Figure 12: a transform with its arguments. */
#define TRANSFORM(word, arguments)                                                                                     \
    .suite = "transforms", .name = "figure 12, " word, .paper = &paper, .title = "Layout transforms: " word,           \
    .x = "field length", .task = "transform " word arguments " %F", .prepare = "run heat --size %1 --steps 0 -o %F",   \
    .remark = "Figure 11 shows the ratios of these rows.",                                                             \
    .lines = { LINE("A (any lengths)", ON_DEVICES, "lengths"), LINE("B (powers of two)", ON_DEVICES, "powers"),        \
               LINE("C (by hand, two dimensions)", ON_DEVICES, "plane"), LINE("D (CPU)", ON_CORE, "lengths") },        \
    .sizes = { SQUARE(64),   SQUARE(128),       SQUARE(256),       SQUARE(512),                                        \
               SQUARE(1024), FULL_SQUARE(2048), FULL_SQUARE(4096), FULL_SQUARE(8192) },                                \
    .claims = { BY_HAND("B", "B (powers of two)"), BY_HAND("A", "A (any lengths)") }

const struct figure figures_storage[] = {
    { TRANSFORM("shift", "=100,-37") },
    { TRANSFORM("flip", "=0") },
    { TRANSFORM("crinkle", "=0:4") },
    { .suite = "ising",
      .name = "figure 13",
      .paper = &paper,
      .title = "The Ising model in two dimensions",
      .x = "field length",
      .task = "run ising --start noise --size %1 --steps %2",
      .picture = "run ising --start noise --size 160x160 --steps 400 -p T=2.2 --png %P",
      .lines = { LINE("A (any lengths)", ON_DEVICES, "lengths"), LINE("B (powers of two)", ON_DEVICES, "powers"),
                 LINE("C (two dimensions)", ON_DEVICES, "plane"), LINE("A crinkled", ON_DEVICES, "crinkled"),
                 LINE("B crinkled", ON_DEVICES, "powers-crinkled"), LINE("C crinkled", ON_DEVICES, "plane-crinkled"),
                 LINE("D (CPU)", ON_CORE, "plane") },
      .sizes = { PLANE(64, 100), PLANE(128, 50), PLANE(256, 20), PLANE(512, 20), PLANE(1024, 10), FULL_PLANE(2048, 10),
                 FULL_PLANE(4096, 10), FULL_PLANE(8192, 10) },
      .claims = { { "A about twice as long as C", "10.2", CLAIM_FACTOR, "C (two dimensions)", "A (any lengths)", 0, 0,
                    2, 2 },
                  { "B about as long as C", "10.2", CLAIM_FACTOR, "C (two dimensions)", "B (powers of two)", 0, 0, 1,
                    1 } } },
    { 0 }
};
/* SPDX-License-Identifier: MIT */

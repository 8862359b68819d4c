/* Figures of Hoffmann et al.: random walks on random Sierpinski carpets. */
#include "tools/bench/figures.h"

static const struct paper paper = { "Hoffmann et al.", "Simulating Anomalous Diffusion on Graphics Processing Units",
                                    NULL, 2010 };

#define WALK(carpet) "walk --carpet " carpet " --level 3 --at=none --precision single --steps %1"

/* Figure 11: three variants on carpets of an occupancy. */
#define OCCUPANCY(occupancy, carpet)                                                                                   \
    .suite = "carpets", .name = "figure 11, occupancy " occupancy, .paper = &paper,                                    \
    .title = "Variants of random walks, occupancy " occupancy, .x = "steps", .task = WALK(carpet),                     \
    .lines = { LINE("variant A", ON_DEVICES, "square"), LINE("variant B", ON_DEVICES, "diamond"),                      \
               LINE("variant C", ON_DEVICES, "compact") },                                                             \
    .sizes = { SIZE(200),  SIZE(280),  SIZE(400),  SIZE(560),  SIZE(800),                                              \
               FULL(1000), FULL(2000), FULL(3000), FULL(4000), FULL(5000) }
#define CUBE(words, variant, a) CLAIM_OF("a = " #a words ": " variant, "table I", CLAIM_CUBE, variant, NULL, 0, 0, a, a)
#define THIRD_POWER(words, variant)                                                                                    \
    CLAIM_OF(words ": " variant, "equation 8", CLAIM_EXPONENT, variant, NULL, 0, 0, 3, 3)
#define CUBES(a, b, c)                                                                                                 \
    CUBE(" in time = 1e-9 a steps^3", "variant A", a), CUBE("", "variant B", b), CUBE("", "variant C", c),             \
        THIRD_POWER("time as the third power of steps", "variant A"), THIRD_POWER("the same", "variant C")

const struct figure figures_carpets[] = {
    { OCCUPANCY("0.093", "random"), .picture = "walk --carpet random --level 3 --steps 300 --png %P",
      .claims = { CUBES(6.742, 2.684, 0.21671),
                  { "variant B about 3 times as fast as A", "VI", CLAIM_FACTOR, "variant B", "variant A", 0, 0, 3, 3 },
                  { "variant C 12 times as fast as B", "VI", CLAIM_FACTOR, "variant C", "variant B", 0, 0, 12, 12 } } },
    { OCCUPANCY("0.35", "random35"), .claims = { CUBES(9.71, 4.14, 0.5310) } },
    { OCCUPANCY("0.59", "random59"),
      .claims = { CUBES(15.94, 7.24, 1.1898),
                  { "variant C 6 times as fast as B", "VI", CLAIM_FACTOR, "variant C", "variant B", 0, 0, 6, 6 } } },
    { .suite = "carpets",
      .name = "figure 12",
      .paper = &paper,
      .title = "Variant C on a GPU and on a CPU of one thread and of all threads, occupancy 0.093",
      .x = "steps",
      .task = WALK("random"),
      .remark = "The CPU's program distributes iterators of the carpet as tasks. The paper's ran on 16 cores.",
      .lines = { LINE("CPU, 1 thread", ON_CORE, "tasks"), LINE("CPU, all threads", ON_THREADS, "tasks"),
                 LINE("variant C", ON_DEVICES, "compact") },
      .sizes = { SIZE(200), SIZE(300), SIZE(450), SIZE(700), SIZE(1000), FULL(2000), FULL(3000), FULL(5000),
                 FULL(9500) },
      .claims = { { "variant C about ten times as fast as the CPU", "VI, VII", CLAIM_FACTOR, "variant C",
                    "CPU, 1 thread", 0, 0, 10, 10 } } },
    { 0 }
};
/* SPDX-License-Identifier: MIT */

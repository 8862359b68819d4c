/* The suites: each figure and table of the papers as a task of growing size. */
#include "tools/bench/bench.h"

/* clang-format off */
const struct suite suites[] = {
    { "occupancy", "Sizes of groups", "paper 000, figure 15", "items of a group", "fused,registers", NULL,
      "run heat --size 1024x1024 --steps 20 --integrator euler --shape group=%1",
      { { 16, "16x1", false }, { 32, "32x1", false }, { 64, "64x1", false }, { 128, "128x1", false },
        { 256, "256x1", false } }, { { 0 } }, NULL },
    { "cahn-hilliard", "Cahn-Hilliard by its uses of memory", "paper 000, figures 6 and 7", "cells", "all", NULL,
      "run cahn-hilliard --no-tune --size %1 --steps %2",
      { { 128 * 128, "128x128 100", false }, { 256 * 256, "256x256 40", false }, { 512 * 512, "512x512 20", false },
        { 1024 * 1024, "1024x1024 10", false }, { 2048 * 2048, "2048x2048 10", false },
        { 4096.0 * 4096, "4096x4096 10", true } },
      { { "50x a CPU with texture memory, lengths of 1024 and over", "000, 3.1.11", FIGURE_SPEEDUP, "image", NULL },
        { "30x with shared memory", "000, 3.1.11", FIGURE_SPEEDUP, "tile", NULL },
        { "13x with global memory", "000, 3.1.11", FIGURE_SPEEDUP, "fused", NULL } },
      "run cahn-hilliard --no-tune --size 160x160 --steps 8000 --seed 1 --png %F" },
    { "paths", "All-pairs shortest paths", "paper 000, figures 10 to 13 and 16, table 4.4", "vertices", "all", NULL,
      "graph paths --generate ws -p n=%1 -p k=10 -p p=0.1",
      { { 125, "125", false }, { 250, "250", false }, { 500, "500", false }, { 1000, "1000", false },
        { 2000, "2000", false }, { 4000, "4000", false }, { 16000, "16000", true } },
      { { "64x, 3121x and 563x a CPU with Floyd's algorithm, three networks of 30 000 vertices", "000, table 4.4",
          FIGURE_SPEEDUP, "private", NULL },
        { "exponents 2.04 to 2.45, 1.49 to 1.94 and 1.51 to 1.71 on these networks", "000, 4.3", FIGURE_SLOPES, NULL,
          NULL },
        { "exponent of Floyd's algorithm: about 3", "000, figure 16", FIGURE_SLOPES, "floyd", NULL } }, NULL },
    { "carpets", "Random walks on Sierpinski carpets", "paper 001, figures 11 and 12, table I", "steps", "all", NULL,
      "walk --carpet sc31 --level 7 --steps %1",
      { { 50, "50", false }, { 100, "100", false }, { 200, "200", false }, { 400, "400", false },
        { 800, "800", false }, { 9500, "9500", true } },
      { { "variant A about 3x as long as B at low occupancy", "001, VI", FIGURE_RATIO, "square", "diamond" },
        { "variant B 12x to 6x as long as C", "001, VI", FIGURE_RATIO, "diamond", "compact" },
        { "variant C about 10x a CPU", "001, VII", FIGURE_SPEEDUP, "compact", NULL },
        { "time as the third power of steps", "001, VI, (8)", FIGURE_SLOPES, NULL, NULL } },
      "walk --carpet sc31 --level 4 --steps 300 --png %F" },
    { "components", "Components of networks", "paper 002, figures 11 to 17", "edges", "all", NULL,
      "graph components --generate disjoint -p n=%2 -p c=100 -p m=%1",
      { { 1e4, "10000 1000", false }, { 4e4, "40000 4000", false }, { 16e4, "160000 16000", false },
        { 1e6, "1000000 100000", false }, { 5e6, "5000000 500000", true } },
      { { "5x to 10x a CPU for the largest networks", "002, 7", FIGURE_SPEEDUP, NULL, NULL },
        { "exponents on scale-free networks: CPU 1.13, kernel 1 1.06, kernel 2 1.05", "002, figure 15", FIGURE_SLOPES,
          NULL, NULL } }, NULL },
    { "labels", "Components of meshes", "paper 002, figures 18 and 19", "cells", "all", NULL,
      "label --pattern spiral --size %1",
      { { 64 * 64, "64x64", false }, { 128 * 128, "128x128", false }, { 256 * 256, "256x256", false },
        { 512 * 512, "512x512", false }, { 1024 * 1024, "1024x1024", true }, { 4096.0 * 4096, "4096x4096", true } },
      { { "kernel D 13x a CPU on fields of 4096x4096", "002, 6.3.1", FIGURE_SPEEDUP, "equivalence", NULL },
        { "kernel A over 450 000x as long as D on a spiral of 4096x4096", "002, 6.3.2", FIGURE_RATIO, "neighbour",
          "equivalence" } },
      "label --pattern random --size 160x160 --density 0.6 --png %F" },
    { "differences", "Finite differences by device", "paper 003, figure 10", "cells", "auto", NULL,
      "run cahn-hilliard --no-tune --size %1 --steps %2",
      { { 256 * 256, "256x256 100", false }, { 512 * 512, "512x512 40", false }, { 1024 * 1024, "1024x1024 20", false },
        { 2048 * 2048, "2048x2048 10", false }, { 4096.0 * 4096, "4096x4096 10", true } },
      { { "two GPUs almost 2x one, lengths of 2048 and over", "003, 4.9", FIGURE_TOGETHER, NULL, NULL } }, NULL },
    { "clustering", "Clustering coefficients", "paper 003, figures 14 and 15", "vertices", "all", NULL,
      "graph clustering --generate ws -p n=%1 -p k=50 -p p=0.1",
      { { 1000, "1000", false }, { 3000, "3000", false }, { 9000, "9000", false }, { 25000, "25000", false },
        { 50000, "50000", true }, { 250000, "250000", true } },
      { { "exponents: one core 1.03, threads 1.04, GPU 1.03 and 1.11", "003, figure 14", FIGURE_SLOPES, NULL, NULL },
        { "two GPUs 1.5x one at 200 000 vertices", "003, 5.7", FIGURE_TOGETHER, NULL, NULL } }, NULL },
    { "random", "Random numbers", "paper 003, table 1", "numbers", "all", NULL,
      "rng --generator ranmar --distribution numbers --samples %1",
      { { 1 << 18, "262144", false }, { 1 << 20, "1048576", false }, { 1 << 22, "4194304", false },
        { 16777216, "16777216", true } },
      { { "24 000 000 000 numbers: CPU 256.45 s, GPU 8.40 s", "003, table 1", FIGURE_RATE, NULL, NULL },
        { "threads 3.8x a CPU", "003, table 1", FIGURE_THREADS, NULL, NULL },
        { "GPU 30.5x a CPU", "003, table 1", FIGURE_SPEEDUP, NULL, NULL },
        { "two GPUs 59.2x a CPU", "003, table 1", FIGURE_SPEEDUP, NULL, NULL } }, NULL },
    { "philox", "Random numbers by counters", "after paper 003, table 1", "numbers", "all", NULL,
      "rng --generator philox --samples %1",
      { { 1 << 18, "262144", false }, { 1 << 20, "1048576", false }, { 1 << 22, "4194304", false },
        { 1 << 24, "16777216", false }, { 1 << 26, "67108864", true } }, { { 0 } }, NULL },
    { "transforms", "Transforms of layouts: crinkle by 8", "paper 004, figures 11 and 12", "cells", "all",
      "label --pattern random --size %1 --save-pattern %F", "transform crinkle=0:8 %F",
      { { 256 * 256, "256x256", false }, { 512 * 512, "512x512", false }, { 1024 * 1024, "1024x1024", false },
        { 2048 * 2048, "2048x2048", false }, { 8192.0 * 8192, "8192x8192", true } }, { { 0 } }, NULL },
    { "ising", "The Ising model", "paper 004, figure 13", "spins", "all", NULL,
      "run ising --start noise --size %1 --steps %2",
      { { 64 * 64, "64x64 100", false }, { 128 * 128, "128x128 50", false }, { 256 * 256, "256x256 20", false },
        { 512 * 512, "512x512 20", false }, { 1024 * 1024, "1024x1024 20", false },
        { 4096.0 * 4096, "4096x4096 20", true } },
      { { "any lengths (A) about 2x as long as two dimensions alone (C)", "004, 10.2", FIGURE_RATIO, "lengths",
          "plane" } },
      "run ising --start noise --size 160x160 --steps 400 -p T=2.2 --png %F" },
    { 0 }
};
/* clang-format on */

/* Finds the n-th word of a text, counted from 1: its start and length. */
static const char *word_of(const char *words, unsigned n, size_t *length)
{
    for (; n > 1; n--)
        words += strcspn(words, " ") + 1;
    *length = strcspn(words, " ");
    return words;
}

int suite_word(const char *word, const struct suite_case *of, const char *file, char **made)
{
    struct mw_text text = { 0 };
    size_t length;
    int rc;
    for (const char *c = word; *c; c++) {
        if (*c != '%') {
            mw_text_append(&text, c, 1);
        } else if (*++c == 'F') {
            mw_text_add(&text, "%s", file ? file : "");
        } else {
            const char *part = word_of(of->words, (unsigned)(*c - '0'), &length);
            mw_text_append(&text, part, length);
        }
    }
    TRY(mw_text_ok(&text));
    *made = text.data;
    text.data = NULL;
out:
    mw_text_free(&text);
    return rc;
}
/* SPDX-License-Identifier: MIT */

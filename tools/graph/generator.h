/* Graph generators by name, and their parameters. */
#ifndef TOOLS_GENERATOR_H
#define TOOLS_GENERATOR_H

#include <meshwork/generate.h>

#include "tools/cli/options.h"
#include "tools/report/report.h"

struct generator_settings {
    struct words params;
    uint64_t seed;
    bool connected;
};
/* Options -p, --seed and --connected, for settings with a member `generator`. */
/* clang-format off */
#define GENERATOR_OPTIONS(settings) \
    { .name = "param", .letter = 'p', .type = OPTION_WORDS, .target = offsetof(settings, generator.params), \
      .value = "NAME=VALUE", .help = "set a parameter of the generator; may be repeated" }, \
    { .name = "seed", .type = OPTION_COUNT, .target = offsetof(settings, generator.seed), .value = "N", \
      .fallback = "0", .help = "seed of the generator" }, \
    { .name = "connected", .type = OPTION_FLAG, .target = offsetof(settings, generator.connected), \
      .help = "draw again, with the seed plus multiples of 2^32, until the graph is connected" }
/* clang-format on */

/* Prints the list of `meshwork graph generate list`. */
int generators_list(void);
/* Finds a generator by its name.  An unknown name gives MW_EINVAL with a suggestion. */
int generator_find(const char *name, const struct mw_generator **generator);
/* Returns the generator's parameters in order: defaults, replaced by words NAME=VALUE.  The caller frees them, also
 * after a failure. */
int generator_values(const struct mw_generator *generator, const struct words *words, struct mw_value **values);
/* Makes the edges of a graph on a device; with --connected, draws until it is connected.  *seed receives the seed of
 * the last draw.  MW_EDATA: no connected graph in 100 draws; and the errors of mw_generate. */
int generator_make(const struct generator_settings *settings, const struct mw_generator *generator,
                   const struct mw_value *values, struct mw_device *device, uint64_t *seed, struct mw_edges *edges);
/* Puts the name of a generator, its parameters and the seed. */
int generator_report(const struct mw_generator *generator, const struct mw_value *values, uint64_t seed,
                     struct node *to);

#endif
/* SPDX-License-Identifier: MIT */

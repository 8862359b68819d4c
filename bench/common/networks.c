#include "bench/common/networks.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MANY 100
#define SMALLER 6                        /* powers of two */

static double smaller(const char *parameter, double value)
{
    if (strcmp(parameter, "scale") == 0)
        return value - SMALLER;
    return value >= MANY ? floor(ldexp(value, -SMALLER)) : value;
}

size_t network_values(const struct bench *bench, const struct network *network,
                      struct mw_generator_value values[NETWORK_VALUES])
{
    const struct mw_generator *generator;
    size_t count = 0;
    if (mw_generator_find(network->generator, &generator) != 0)
        bench_die(network->test);
    for (; count < generator->parameter_count && count < NETWORK_VALUES && network->values[count] != 0; count++) {
        const char *name = generator->parameters[count].name;
        const double value = network->values[count];
        values[count] = (struct mw_generator_value){ name, bench->small ? smaller(name, value) : value };
    }
    return count;
}

void network_edges(const struct bench *bench, struct mw_device *maker, const struct network *network,
                   struct mw_edges *edges)
{
    struct mw_generator_value values[NETWORK_VALUES];
    const size_t count = network_values(bench, network, values);
    if (mw_generate(maker, network->generator, values, count, 1, edges) != 0)
        bench_die(network->test);
}

/* ---- other libraries ---- */

const char *const network_rivals[NETWORK_RIVALS] = { "igraph", "scipy" };

void network_send(struct bench *bench, const struct mw_edges *edges)
{
    char line[64];
    snprintf(line, sizeof line, "graph %zu %zu", edges->vertices, (size_t)edges->count);
    python_seconds(&bench->python, line, edges->ends, (size_t)edges->count * 2 * sizeof *edges->ends);
}

void network_rivals_add(struct bench *bench, struct bench_rival rivals[NETWORK_RIVALS],
                        struct bench_contender contenders[NETWORK_RIVALS], const char *format, ...)
{
    char words[480];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    for (size_t i = 0; i < NETWORK_RIVALS; i++) {
        rivals[i] = (struct bench_rival){ .python = &bench->python, .name = network_rivals[i] };
        snprintf(rivals[i].line, sizeof rivals[i].line, "%s %s", network_rivals[i], words);
        contenders[i] = bench_rival(&rivals[i]);
    }
}

/* Weights as files have them, decimal numbers, and what becomes of them: whole numbers of a unit.  Internal. */
#ifndef MW_GRAPH_WEIGHTS_H
#define MW_GRAPH_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number: 15 digits with their sign above 13 bits of a power of ten. */
typedef int64_t mw_decimal;
#define MW_DECIMAL_NONE INT64_MIN
/* Takes a number as programs write it ("-12", "0.5", "1e-3"), rounded to 15 digits; its end, or NULL where there is
 * none, or one of 10^280 or more: sums of lengths would be no finite doubles. */
const char *mw_decimal_read(const char *at, mw_decimal *decimal);
/* Writes what mw_weight_text does, without a NUL behind it; returns its end. */
char *mw_weight_put(char *to, int64_t value, int decimals);

/* Whether it is one without a fraction. */
bool mw_weight_is_whole(int64_t value, int decimals);

/* What is known of some numbers; zeroed: of none. */
struct mw_decimals { int least; /* of their powers of ten */ long double largest; };
void mw_decimals_look(struct mw_decimals *about, const mw_decimal *from, size_t count);
void mw_decimals_join(struct mw_decimals *about, const struct mw_decimals *others);
/* The decimals of the unit that graph.h describes. */
int mw_decimals_choose(const struct mw_decimals *about);
/* In that unit; true where a number had to be rounded.  Adds those that became 0 by it to *zeros. */
bool mw_decimals_round(const mw_decimal *from, size_t count, int decimals, int32_t *to, uint64_t *zeros);
/* A notice of that, about a file. */
void mw_weights_say_rounded(const char *name, int decimals, uint64_t zeros);

#endif
/* SPDX-License-Identifier: MIT */

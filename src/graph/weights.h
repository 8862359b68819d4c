/* Weights: decimal numbers in files, integer multiples of a unit in graphs. Internal. */
#ifndef MW_GRAPH_WEIGHTS_H
#define MW_GRAPH_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number: a signed integer of at most 15 digits, and a power of ten in the lowest 13 bits. */
typedef int64_t mw_decimal;
/* Value that marks a missing weight; mw_decimals_round converts it to 0. */
#define MW_DECIMAL_NONE INT64_MIN
/* Reads a number ("-12", "0.5", "1e-3"), rounded to 15 digits, and returns its end. Returns NULL if there is no number
 * or it is 10^280 or more: sums of such lengths would overflow a double. */
const char *mw_decimal_read(const char *at, mw_decimal *decimal);
/* Writes the number value * 10^-decimals as mw_weight_text does, but without a NUL; returns its end. */
char *mw_weight_put(char *to, int64_t value, int decimals);

/* Returns whether value * 10^-decimals is an integer. */
bool mw_weight_is_whole(int64_t value, int decimals);

/* Range of a set of decimal numbers, from which their unit is chosen; all zero for an empty set. */
struct mw_decimals {
    int least;           /* smallest power of ten of a number; 0 if none is negative */
    long double largest; /* largest absolute value */
};
/* Extends the range to include `count` numbers; ignores MW_DECIMAL_NONE. */
void mw_decimals_look(struct mw_decimals *about, const mw_decimal *from, size_t count);
/* Extends the range *about to include the range *others. */
void mw_decimals_join(struct mw_decimals *about, const struct mw_decimals *others);
/* Returns the decimals d of the unit 10^-d: such that no number is rounded, or fewer if the largest number would exceed
 * an int32_t. Possibly negative. */
int mw_decimals_choose(const struct mw_decimals *about);
/* Converts numbers to multiples of 10^-decimals, rounded to nearest. Returns whether a number was changed by that; adds
 * to *zeros how many became 0. */
bool mw_decimals_round(const mw_decimal *from, size_t count, int decimals, int32_t *to, uint64_t *zeros);
/* Logs a notice that the weights of file `name` were rounded, and that `zeros` of them became 0. */
void mw_weights_warn_rounded(const char *name, int decimals, uint64_t zeros);

#endif
/* SPDX-License-Identifier: MIT */

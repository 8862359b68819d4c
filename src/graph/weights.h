/* Weights: decimal numbers in files, integer multiples of a unit in graphs. Internal. */
#ifndef MW_GRAPH_WEIGHTS_H
#define MW_GRAPH_WEIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A decimal number: signed 15 digits, and a power of ten in the lowest 13 bits. */
typedef int64_t mw_decimal;
#define MW_DECIMAL_NONE INT64_MIN
/* Reads a number ("-12", "0.5", "1e-3"), rounded to 15 digits, and returns its end. Returns NULL if there is no number
 * or it is 10^280 or more: sums of such lengths would overflow a double. */
const char *mw_decimal_read(const char *at, mw_decimal *decimal);
/* Writes the text of mw_weight_text without a NUL; returns its end. */
char *mw_weight_put(char *to, int64_t value, int decimals);

/* Returns whether a weight is an integer. */
bool mw_weight_is_whole(int64_t value, int decimals);

/* Range of a set of numbers; all zero for an empty set. */
struct mw_decimals {
    int least; /* smallest power of ten */
    long double largest;
};
void mw_decimals_look(struct mw_decimals *about, const mw_decimal *from, size_t count);
void mw_decimals_join(struct mw_decimals *about, const struct mw_decimals *others);
/* Returns the decimals of the unit: the smallest power of ten, unless the largest number needs a coarser one. */
int mw_decimals_choose(const struct mw_decimals *about);
/* Converts to multiples of 10^-decimals; returns true if a number was rounded. Adds to *zeros the count of numbers that
 * became 0. */
bool mw_decimals_round(const mw_decimal *from, size_t count, int decimals, int32_t *to, uint64_t *zeros);
/* Logs a notice that the weights of a file were rounded. */
void mw_weights_warn_rounded(const char *name, int decimals, uint64_t zeros);

#endif
/* SPDX-License-Identifier: MIT */

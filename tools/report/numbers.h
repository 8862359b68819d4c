/* Formats numbers for people.  Use each within one expression: bytes_text(n).text. */
#ifndef TOOLS_NUMBERS_H
#define TOOLS_NUMBERS_H

#include <stdint.h>

struct short_text {
    char text[40];
};
struct short_text bytes_text(uint64_t bytes);
struct short_text seconds_text(double seconds);
/* Returns "1500 Mcell-steps/s" for the unit "cell-steps/s". */
struct short_text rate_text(double rate, const char *unit);
/* Returns "0.9541 +- 0.0003", or only the value if the error is not above 0. */
struct short_text with_error_text(double value, double error);
/* Returns a checksum as 16 hexadecimal digits. */
struct short_text checksum_text(uint64_t checksum);
/* Returns the shortest text that reads back as the same number. */
struct short_text real_text(double value);

/* Returns "1 cell" or "2 cells".  A word with another plural gives both: "vertex|vertices".  Use within one
 * expression. */
struct short_text counted_text(uint64_t n, const char *word);
#define COUNTED(n, word) counted_text((n), (word)).text
/* Returns "each step" or "every 5 steps". */
struct short_text every_text(uint64_t steps);

#endif
/* SPDX-License-Identifier: MIT */

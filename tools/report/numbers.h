/* Numbers for people; each for use within one expression: bytes_text(n).text. */
#ifndef TOOLS_NUMBERS_H
#define TOOLS_NUMBERS_H

#include <stdint.h>

struct short_text { char text[40]; };
struct short_text bytes_text(uint64_t bytes);
struct short_text seconds_text(double seconds);
/* "1500 Mcell-steps/s", of the unit "cell-steps/s" */
struct short_text rate_text(double rate, const char *unit);
/* "0.9541 +- 0.0003", or where there is no error above 0 the value alone. */
struct short_text with_error_text(double value, double error);
/* A checksum as it is printed: 16 hexadecimal digits. */
struct short_text checksum_text(uint64_t checksum);
/* The shortest text that brings the same number back, for files. */
struct short_text real_text(double value);

/* "1 cell", "2 cells"; a word without a plural in s has both: "vertex|vertices".  Use within one expression. */
struct short_text counted_text(uint64_t n, const char *word);
#define COUNTED(n, word) counted_text((n), (word)).text
/* "each step", "every 5 steps". */
struct short_text every_text(uint64_t steps);

#endif
/* SPDX-License-Identifier: MIT */
